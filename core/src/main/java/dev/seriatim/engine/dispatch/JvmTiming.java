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

/** The clock, locks and threads of the virtual machine. Thread-safe. */
public final class JvmTiming implements Timing {

    public static final Timing INSTANCE = new JvmTiming();

    private JvmTiming() {}

    @Override
    public long now() {
        return System.nanoTime();
    }

    @Override
    public ReentrantLock lock() {
        return new ReentrantLock();
    }

    @Override
    public void park(Object waiting, long nanos) {
        LockSupport.parkNanos(waiting, nanos);
    }

    @Override
    public void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // an inaccurate yield only costs time
    public void yieldUntil(BooleanSupplier done, long nanos) {
        long began = System.nanoTime();
        while (!done.getAsBoolean() && System.nanoTime() - began < nanos) {
            Thread.yield();
        }
    }

    @Override
    public void after(long nanos, Runnable step) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(step);
    }

    @Override
    public <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos) {
        return future.orTimeout(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public long jitter(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }
}
