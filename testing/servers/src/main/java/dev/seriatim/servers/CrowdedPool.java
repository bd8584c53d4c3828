// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;

/** Transactions on more threads than a pool has connections: all connections are held before any transaction draws. */
public final class CrowdedPool {

    public static final int SIZE = 10;

    public static final int TRANSACTIONS = 5 * SIZE; // the phases need a multiple

    @FunctionalInterface
    public interface Transaction<R> {
        /** Runs in a transaction, and calls {@code held} between its first statement and the draw. */
        R run(Runnable held) throws Exception;
    }

    private CrowdedPool() {}

    /** Runs {@link #TRANSACTIONS} transactions and returns their results. Throws the first failure. */
    public static <R> List<R> run(Transaction<R> transaction) throws Exception {
        Phaser all = new Phaser(SIZE);
        Callable<R> one = () -> {
            try {
                return transaction.run(all::arriveAndAwaitAdvance);
            } catch (Throwable e) {
                all.forceTermination(); // the others would wait for this one
                throw e;
            }
        };
        ExecutorService threads = Executors.newFixedThreadPool(SIZE + 6);
        try {
            List<R> results = new ArrayList<>();
            for (Future<R> each : threads.invokeAll(Collections.nCopies(TRANSACTIONS, one), 60, TimeUnit.SECONDS)) {
                results.add(each.get());
            }
            return results;
        } finally {
            all.forceTermination();
            threads.shutdownNow();
        }
    }
}
