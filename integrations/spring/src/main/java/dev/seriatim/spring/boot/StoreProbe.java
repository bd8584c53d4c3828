// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceCatalog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a store answers within a bounded time, and whether its feeds move. While one query hangs, no other is sent, so that checks do not
 * pile up. Thread-safe.
 */
final class StoreProbe {

    /** Reading one row costs the same whether it exists. */
    private static final String ANY = "seriatim_health";

    private final StoreSequences sequences;
    private final Duration timeout;
    private final @Nullable FeedWatch feeds;
    private @Nullable FutureTask<Duration> asked;

    StoreProbe(StoreSequences sequences, Duration timeout, @Nullable FeedWatch feeds) {
        this.sequences = sequences;
        this.timeout = timeout;
        this.feeds = feeds;
    }

    /** Returns the health that is made of a status and details: one line each, without secrets. */
    <H> H ask(BiFunction<String, Map<String, String>, H> health) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("store", sequences.store().toString());
        if (!(sequences.store() instanceof SequenceCatalog catalog)) {
            return health.apply("UNKNOWN", details);
        }
        try {
            Duration took = question(catalog).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            details.put("answered in", String.format(Locale.ROOT, "%.1f ms", took.toNanos() / 1e6));
            return health.apply("UP", details);
        } catch (TimeoutException e) {
            details.put("error", "no answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            details.put("error", "interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            // Only our own messages are known to show no secrets.
            boolean ours = cause instanceof SequenceException;
            details.put(
                    "error",
                    String.valueOf(ours ? cause.getMessage() : cause.getClass().getName()));
        }
        return health.apply("DOWN", details);
    }

    private synchronized FutureTask<Duration> question(SequenceCatalog catalog) {
        FutureTask<Duration> question = asked;
        if (question == null || question.isDone()) {
            question = new FutureTask<>(() -> answer(catalog));
            asked = question;
            Thread thread = new Thread(question, "seriatim-health");
            thread.setDaemon(true);
            thread.start();
        }
        return question;
    }

    private Duration answer(SequenceCatalog catalog) {
        long began = System.nanoTime();
        try {
            catalog.describe(ANY);
        } catch (SequenceException.NotFound answered) {
            // as expected
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        if (feeds != null) {
            feeds.check();
        }
        return took;
    }
}
