// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import dev.seriatim.store.Pauses;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an operation while it conflicts with others, up to a timeout.
 *
 * <p>An attempt that is cut off by the timeout has an unknown outcome. Therefore, attempts after the first start only
 * if enough time is left: 50 ms, or twice the duration of the longest attempt so far if that is more, but never more
 * than a quarter of the timeout. Thread-safe.
 */
final class Retries {

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    // A successful attempt takes longer than a refused one, because a majority must store its result.
    private static final long LEAST = Duration.ofMillis(50).toNanos();

    /** One attempt; returns empty if it conflicted with others and changed nothing. */
    @FunctionalInterface
    interface Attempt<R> {
        Optional<R> by(Deadline deadline) throws InterruptedException;
    }

    private final CouchbaseFailures failures;
    private final Duration timeout;

    Retries(CouchbaseFailures failures, Duration timeout) {
        this.failures = failures;
        this.timeout = timeout;
    }

    /** Runs an operation that changes something. */
    <R> R writing(String name, Attempt<R> attempt) {
        return untilTimeIsUp(name, true, attempt);
    }

    /** Runs an operation that changes nothing; the name is null if it does not concern one sequence. */
    <R> R reading(@Nullable String name, Attempt<R> attempt) {
        return untilTimeIsUp(name, false, attempt);
    }

    private <R> R untilTimeIsUp(@Nullable String name, boolean writing, Attempt<R> attempt) {
        Deadline deadline = Deadline.in(timeout);
        Pauses pauses = new Pauses(deadline.nanos(), LONGEST_PAUSE);
        long needed = LEAST;
        boolean calling = false;
        try {
            while (true) {
                long began = System.nanoTime();
                @Nullable CouchbaseException passing = null;
                calling = true;
                try {
                    Optional<R> result = attempt.by(deadline);
                    if (result.isPresent()) {
                        return result.get();
                    }
                } catch (CouchbaseException e) {
                    if (!CouchbaseFailures.isConflict(e)) {
                        throw failures.of(name, e);
                    }
                    passing = e;
                }
                calling = false;
                needed = Math.max(needed, 2 * (System.nanoTime() - began));
                if (!pauses.pauseLeaving(Duration.ofNanos(Math.min(needed, timeout.toNanos() / 4)))) {
                    throw failures.overloaded(name, passing);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.interrupted(name, writing && calling, e);
        }
    }
}
