// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that start at the same moment and repeat the same action. */
public record Crowd(int threads, int turns) {

    /** The action of a thread at one turn; both are counted from 0. */
    @FunctionalInterface
    public interface Turn {
        void take(int thread, int turn) throws Exception;
    }

    /** The draw of a thread at one turn; both are counted from 0. */
    @FunctionalInterface
    public interface Draw {
        Block take(int thread, int turn) throws Exception;
    }

    /** Runs all turns of all threads. Throws the first failure, and fails if the crowd does not finish in a minute. */
    public void each(Turn turn) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int thread = i;
            running.add(pool.submit(() -> {
                start.await();
                for (int t = 0; t < turns; t++) {
                    turn.take(thread, t);
                }
                return null;
            }));
        }
        start.countDown();
        try {
            for (Future<?> one : running) {
                one.get(StoreContract.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("a thread of the crowd did not finish: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the crowd was at work", e);
        } finally {
            pool.shutdown();
        }
    }

    /** Like {@link #each}, and records what was drawn when. */
    public History draw(Draw draw) {
        History history = new History();
        each((thread, turn) -> {
            long began = System.nanoTime();
            Block block = draw.take(thread, turn);
            history.add(began, System.nanoTime(), block);
        });
        return history;
    }
}
