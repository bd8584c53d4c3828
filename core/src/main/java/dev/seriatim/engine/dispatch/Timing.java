// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * What the slow paths wait by: the time, locks and their conditions, parking, timers and chance. All of it comes from outside,
 * so that a test can play them under a clock and a scheduler of its own. Dealing from memory touches none of it. Thread-safe.
 */
public interface Timing {

    /** Nanoseconds from an arbitrary moment on, as of {@link System#nanoTime()}. */
    long now();

    /** A new lock, whose conditions wait by this time. */
    ReentrantLock lock();

    /** Parks this thread until it is unparked or interrupted, no longer than {@code nanos}; may return early. */
    void park(Object waiting, long nanos);

    /** Lets a thread go on that has parked, or is about to. */
    void unpark(Thread thread);

    /** Lets other threads run until {@code done}, for a few microseconds: no longer than {@code nanos}, as far as they let this one on. */
    void yieldUntil(BooleanSupplier done, long nanos);

    /** Runs a step after a delay, on the clock's thread, which it must leave at once. */
    void after(long nanos, Runnable step);

    /** What a future brings, waiting no longer than {@code nanos}. */
    <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException;

    /** Completes a future with a {@link TimeoutException} if nothing else has completed it after so long; returns it. */
    <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos);

    /** A random number from 0 to below {@code bound}: those who collided must not meet again at the same moment. */
    long jitter(long bound);
}
