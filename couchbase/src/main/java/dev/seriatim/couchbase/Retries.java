// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import dev.seriatim.SequenceException;
import dev.seriatim.store.Pauses;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operation again while others are in its way, as long as its time lasts.
 *
 * <p>An attempt that is cut off when the time is up leaves open whether it has changed something. So none but the first
 * begins without time for it: 50 ms, or twice what the longest before it took if that is more, but never more than a quarter of
 * the whole time.
 *
 * <p>Thread-safe.
 */
final class Retries {

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    // One that succeeds takes longer than those that were refused, since it is kept by a majority.
    private static final Duration LEAST = Duration.ofMillis(50);

    /** One attempt; empty when others were in the way, and nothing has happened. */
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

    /** An operation that changes something; the name is null where it is not about one sequence. */
    <R> R writing(@Nullable String name, Attempt<R> attempt) {
        return untilTimeIsUp(name, true, attempt);
    }

    /** An operation that changes nothing. */
    <R> R reading(@Nullable String name, Attempt<R> attempt) {
        return untilTimeIsUp(name, false, attempt);
    }

    private <R> R untilTimeIsUp(@Nullable String name, boolean writing, Attempt<R> attempt) {
        Deadline deadline = Deadline.in(timeout);
        Pauses pauses = new Pauses(deadline.nanos(), LONGEST_PAUSE);
        Duration needed = LEAST;
        while (true) {
            long began = System.nanoTime();
            @Nullable CouchbaseException passing = null;
            try {
                Optional<R> result = attempt.by(deadline);
                if (result.isPresent()) {
                    return result.get();
                }
            } catch (CouchbaseException e) {
                if (!TransientErrors.is(e)) {
                    throw failures.of(name, e);
                }
                passing = e;
            } catch (InterruptedException e) {
                throw interrupted(name, writing, e);
            }
            needed = longer(needed, Duration.ofNanos(2 * (System.nanoTime() - began)));
            try {
                if (!pauses.pauseLeaving(shorter(needed, timeout.dividedBy(4)))) {
                    throw failures.overloaded(name, passing);
                }
            } catch (InterruptedException e) {
                throw interrupted(name, false, e);
            }
        }
    }

    private SequenceException interrupted(@Nullable String name, boolean unknown, InterruptedException e) {
        Thread.currentThread().interrupt();
        return failures.interrupted(name, unknown, e);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
