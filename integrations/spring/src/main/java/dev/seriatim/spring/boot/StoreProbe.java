// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceCatalog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a store answers within a bounded time. While one query hangs, no other is sent, so that checks do not
 * pile up. Thread-safe.
 */
final class StoreProbe {

    /** Reading one row costs the same whether it exists. */
    private static final String ANY = "seriatim_health";

    private final StoreSequences sequences;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Duration> asked;

    StoreProbe(StoreSequences sequences, Duration timeout) {
        this.sequences = sequences;
        this.timeout = timeout;
    }

    /**
     * A store's answer.
     *
     * @param store the store, for display
     * @param took how long it took; null if there was none
     * @param problem why there was none, in one line without secrets; null if there was one, or if the store cannot be
     *     asked since it has no catalogue
     */
    record Answer(
            String store, @Nullable Duration took, @Nullable String problem) {
        /** Returns the status of the health indicator. */
        String status() {
            return problem != null ? "DOWN" : took == null ? "UNKNOWN" : "UP";
        }

        /** Returns the details of the health indicator. */
        Map<String, String> details() {
            Map<String, String> details = new LinkedHashMap<>();
            details.put("store", store);
            if (problem != null) {
                details.put("error", problem);
            } else if (took != null) {
                details.put("answered in", String.format(Locale.ROOT, "%.1f ms", took.toNanos() / 1e6));
            }
            return details;
        }
    }

    Answer ask() {
        String store = sequences.store().toString();
        if (!(sequences.store() instanceof SequenceCatalog catalog)) {
            return new Answer(store, null, null);
        }
        try {
            return new Answer(store, question(catalog).get(timeout.toNanos(), TimeUnit.NANOSECONDS), null);
        } catch (TimeoutException e) {
            return new Answer(store, null, "no answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(store, null, "interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            return new Answer(store, null, problem(e));
        }
    }

    private static String problem(ExecutionException e) {
        // Only our own messages are known to show no secrets.
        return e.getCause() instanceof SequenceException failure
                ? String.valueOf(failure.getMessage())
                : String.valueOf(
                        e.getCause() == null ? e : e.getCause().getClass().getName());
    }

    private CompletableFuture<Duration> question(SequenceCatalog catalog) {
        lock.lock();
        try {
            if (asked != null && !asked.isDone()) {
                return asked;
            }
            CompletableFuture<Duration> answer = new CompletableFuture<>();
            Thread thread = new Thread(() -> answer(catalog, answer), "seriatim-health");
            thread.setDaemon(true);
            thread.start();
            asked = answer;
            return answer;
        } finally {
            lock.unlock();
        }
    }

    private static void answer(SequenceCatalog catalog, CompletableFuture<Duration> answer) {
        long began = System.nanoTime();
        try {
            catalog.describe(ANY);
        } catch (SequenceException.NotFound answered) {
            // as expected
        } catch (Throwable e) {
            answer.completeExceptionally(e);
            return;
        }
        answer.complete(Duration.ofNanos(System.nanoTime() - began));
    }
}
