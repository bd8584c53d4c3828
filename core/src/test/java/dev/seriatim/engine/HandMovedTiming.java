// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.engine.dispatch.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Real threads, locks and timers with a clock that only the test advances: on a busy machine, no group closes because
 * of its age and no patience ends, unless the test says so. Thread-safe.
 */
final class HandMovedTiming implements Timing {

    private static final Timing REAL = Timing.JVM;

    private final AtomicLong now = new AtomicLong(REAL.now());

    void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Override
    public long now() {
        return now.get();
    }

    @Override
    public ReentrantLock lock() {
        return REAL.lock();
    }

    @Override
    public void park(Object waiting, long nanos) {
        REAL.park(waiting, nanos);
    }

    @Override
    public void unpark(Thread thread) {
        REAL.unpark(thread);
    }

    @Override
    public void yieldUntil(BooleanSupplier done, long nanos) {
        // threads switch elsewhere
    }

    @Override
    public void after(long nanos, Runnable step) {
        REAL.after(nanos, step);
    }

    @Override
    public <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException {
        return REAL.await(future, nanos);
    }

    @Override
    public <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos) {
        return REAL.endAfter(future, nanos);
    }

    @Override
    public long jitter(long bound) {
        return REAL.jitter(bound);
    }
}
