// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.AwaitingStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/** The exceptions that callers get when a store or an executor fails. */
public final class StoreFailures {

    private StoreFailures() {}

    /** What a store threw: its own exception, or, from a store that breaks its contract, one that names it. */
    public static SequenceException ofStore(String name, Throwable thrown) {
        return thrown instanceof SequenceException ours
                ? ours
                : new SequenceException.Unavailable(name, "the store failed: " + Messages.shown(thrown), thrown);
    }

    /** What an executor threw that was to run a reservation. */
    public static SequenceException ofExecutor(String name, Throwable thrown) {
        return new SequenceException.Unavailable(
                name,
                thrown instanceof RejectedExecutionException
                        ? "the executor takes no more work; give the sequences one that does"
                        : "no thread to reserve on, the executor failed: " + Messages.shown(thrown)
                                + "; allow the process more threads, the next call tries again",
                thrown);
    }

    /** What a caller has waited for who loses its patience, if its store knows: no less than half of that time. */
    public static Optional<String> waitedFor(Object store, Duration patience) {
        return awaited(store, patience.dividedBy(2)).map(what -> "waited " + patience.toMillis() + " ms for " + what);
    }

    /** What the calls of a store wait for, if it knows; one that fails to say so must not hide that they do. */
    public static Optional<String> awaited(Object store, Duration atLeast) {
        try {
            return store instanceof AwaitingStore awaiting
                    ? Objects.requireNonNull(awaiting.awaits(atLeast))
                    : Optional.empty();
        } catch (Throwable e) {
            return Optional.empty();
        }
    }
}
