// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Sequence;
import dev.seriatim.engine.LoneTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Tests on one thread, with a clock and an executor that they control. */
abstract class OneThread {

    static final Duration PATIENCE = Duration.ofMillis(400);
    static final long NANOS = PATIENCE.toNanos();
    static final Executor UNUSED = task -> {
        throw new AssertionError("nothing to do");
    };

    final LoneTiming timing = new LoneTiming();
    Duration patience = PATIENCE;
    Executor executor = timing;

    private final List<String> underTheLock = new ArrayList<>();

    @AfterEach
    void no_thread_is_interrupted_and_nothing_was_called_under_the_lock() {
        assertThat(Thread.interrupted()).isFalse();
        assertThat(underTheLock).isEmpty();
        assertThat(timing.locked()).isFalse();
    }

    /** Notes a call that may not be made while the line is locked. */
    final void calls(String what) {
        if (timing.locked()) {
            underTheLock.add(what);
        }
    }

    static CompletableFuture<Long> draw(Sequence sequence) {
        return sequence.nextAsync().toCompletableFuture();
    }

    static List<CompletableFuture<Long>> draws(Sequence sequence, int callers) {
        List<CompletableFuture<Long>> drawn = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            drawn.add(draw(sequence));
        }
        return drawn;
    }

    /** Runs all submitted tasks, and those that they submit. */
    final void settle() {
        while (!timing.tasks.isEmpty()) {
            timing.run();
        }
    }

    static @Nullable Throwable failure(CompletableFuture<Long> drawn) {
        assertThat(drawn).isDone();
        Throwable thrown = catchThrowable(drawn::join);
        return thrown instanceof CompletionException ? thrown.getCause() : thrown;
    }

    static Predicate<String> beginsWith(String word) {
        return event -> event.startsWith(word);
    }
}
