// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Transactions on more threads than a pool has connections: all connections are held before any transaction draws. */
public final class CrowdedPool {

    /** The size of the pool. */
    public static final int SIZE = 10;

    /** How many transactions run. */
    public static final int TRANSACTIONS = 5 * SIZE; // the barrier needs a multiple

    private static final int THREADS = SIZE + 6;

    /** A transaction that draws. */
    @FunctionalInterface
    public interface Transaction<R> {
        /** Runs in a transaction, and calls {@code held} between its first statement and the draw. */
        R run(Runnable held) throws Exception;
    }

    private CrowdedPool() {}

    /** Runs {@link #TRANSACTIONS} transactions and returns their results. Throws the first failure. */
    public static <R> List<R> run(Transaction<R> transaction) throws Exception {
        CyclicBarrier all = new CyclicBarrier(SIZE);
        Runnable held = () -> {
            try {
                all.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("another transaction failed", e);
            }
        };
        AtomicInteger begun = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<R>>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(() -> {
                    List<R> results = new ArrayList<>();
                    while (begun.incrementAndGet() <= TRANSACTIONS) {
                        results.add(transaction.run(held));
                    }
                    return results;
                }));
            }
            List<R> results = new ArrayList<>();
            for (Future<List<R>> one : running) {
                results.addAll(one.get(60, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
