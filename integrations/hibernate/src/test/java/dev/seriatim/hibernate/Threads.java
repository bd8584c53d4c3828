// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Runs the same work on several threads. */
final class Threads {
    private Threads() {}

    /** Starts all at once, and returns their results; throws what the first of them throws, after all have ended. */
    static <T> List<T> run(int threads, IntFunction<Callable<T>> work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Callable<T> own = work.apply(i);
                futures.add(executor.submit(() -> {
                    start.await();
                    return own.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            executor.shutdown();
        }
    }
}
