// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Time, locks, parking, timers and randomness for the slow paths, so that tests can run them under a simulated clock and scheduler.
 * Dealing from memory uses none of it. Thread-safe.
 */
public interface Timing {

    /** Returns nanoseconds since an arbitrary moment, like {@link System#nanoTime()}. */
    long now();

    /** Returns a new lock, whose conditions wait by this clock. */
    ReentrantLock lock();

    /** Parks this thread until it is unparked or interrupted, at most for {@code nanos}; may return early. */
    void park(Object waiting, long nanos);

    /** Unparks a thread that has parked or is about to. */
    void unpark(Thread thread);

    /** Yields to other threads until {@code done}, for about {@code nanos} at most. */
    void yieldUntil(BooleanSupplier done, long nanos);

    /** Runs a step after a delay on the clock's thread, which it must not block. */
    void after(long nanos, Runnable step);

    /** Returns the result of a future; waits at most {@code nanos}. */
    <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException;

    /** Completes a future with a {@link TimeoutException} unless it completes within {@code nanos}; returns it. */
    <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos);

    /** Returns a random number from 0 to below {@code bound}, so that sessions that collided do not collide again. */
    long jitter(long bound);
}
