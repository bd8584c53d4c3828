// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import dev.seriatim.Pauses;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operation again while others are in its way, as long as its time lasts.
 *
 * <p>An attempt that is cut off when the time is up leaves open whether it has changed something. So none begins unless twice the
 * time of the longest before it is left, or a quarter of the whole time where that is less.
 *
 * <p>Thread-safe.
 */
final class Attempts {

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    /** One attempt; empty when others were in the way, and nothing has happened. */
    @FunctionalInterface
    interface Attempt<R> {
        Optional<R> by(Deadline deadline) throws InterruptedException;
    }

    private final Failures failures;
    private final Duration timeout;

    Attempts(Failures failures, Duration timeout) {
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
        Duration longest = Duration.ZERO;
        try {
            while (true) {
                long began = System.nanoTime();
                @Nullable CouchbaseException passing = null;
                try {
                    Optional<R> result = attempt.by(deadline);
                    if (result.isPresent()) {
                        return result.get();
                    }
                } catch (CouchbaseException e) {
                    if (!Passing.is(e)) {
                        throw failures.of(name, e);
                    }
                    passing = e;
                }
                longest = longer(longest, Duration.ofNanos(System.nanoTime() - began));
                if (!pauses.pauseLeaving(shorter(longest.multipliedBy(2), timeout.dividedBy(4)))) {
                    throw failures.overloaded(name, passing);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.interrupted(name, writing, e);
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
