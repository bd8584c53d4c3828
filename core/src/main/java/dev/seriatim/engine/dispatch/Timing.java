// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Time, locks, timers and randomness of the slow paths, which tests replace by a simulated clock and scheduler. Thread-safe. */
public interface Timing {

    /** Returns nanoseconds since an arbitrary moment, like {@link System#nanoTime()}. */
    long now();

    /** Returns a new lock, whose conditions wait by this clock. */
    ReentrantLock lock();

    void park(Object waiting, long nanos);

    void unpark(Thread thread);

    /** Yields to other threads until {@code done}, for about {@code nanos} at most. */
    void yieldUntil(BooleanSupplier done, long nanos);

    /** Runs a step after a delay on the clock's thread, which it must not block. */
    void after(long nanos, Runnable step);

    <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException;

    /** Completes a future with a {@link TimeoutException} unless it completes within {@code nanos}; returns it. */
    <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos);

    /** Returns a random number from 0 to below {@code bound}, so that sessions that collided do not collide again. */
    long jitter(long bound);
}
