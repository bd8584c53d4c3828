// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Time, locks, timers and randomness of the slow paths: those of the virtual machine, which tests replace by a simulated clock and
 * scheduler. Thread-safe.
 */
public interface Timing {

    Timing JVM = new Timing() {};

    /** Returns nanoseconds since an arbitrary moment, like {@link System#nanoTime()}. */
    default long now() {
        return System.nanoTime();
    }

    /** Returns a new lock, whose conditions wait by this clock. */
    default ReentrantLock lock() {
        return new ReentrantLock();
    }

    default void park(Object waiting, long nanos) {
        LockSupport.parkNanos(waiting, nanos);
    }

    default void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }

    /** Yields to other threads until {@code done}, for about {@code nanos} at most. */
    @SuppressWarnings("ThreadPriorityCheck") // an inaccurate yield only costs time
    default void yieldUntil(BooleanSupplier done, long nanos) {
        long began = System.nanoTime();
        while (!done.getAsBoolean() && System.nanoTime() - began < nanos) {
            Thread.yield();
        }
    }

    /** Runs a step after a delay on the clock's thread, which it must not block. */
    default void after(long nanos, Runnable step) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(step);
    }

    default <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(nanos, TimeUnit.NANOSECONDS);
    }

    /** Completes a future with a {@link TimeoutException} unless it completes within {@code nanos}; returns it. */
    default <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos) {
        return future.orTimeout(nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns a random number from 0 to below {@code bound}, so that sessions that collided do not collide again. */
    default long jitter(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }
}
