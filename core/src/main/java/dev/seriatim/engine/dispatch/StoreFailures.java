// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.AwaitingStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/** Creates the exceptions that callers get if a store or an executor fails. */
public final class StoreFailures {

    private StoreFailures() {}

    /** Returns the store's exception, or wraps an undeclared one. */
    public static SequenceException ofStore(String name, Throwable thrown) {
        return thrown instanceof SequenceException ours
                ? ours
                : new SequenceException.Unavailable(name, "the store failed: " + Messages.shown(thrown), thrown);
    }

    /** Returns the exception for an executor that threw instead of running a reservation. */
    public static SequenceException ofExecutor(String name, Throwable thrown) {
        return new SequenceException.Unavailable(
                name,
                thrown instanceof RejectedExecutionException
                        ? "the executor rejected this work; use one that accepts it"
                        : "no thread to reserve on, the executor failed: " + Messages.shown(thrown)
                                + "; allow the process more threads, the next call tries again",
                thrown);
    }

    /** Returns what a caller that timed out has waited for, if the store knows: for at least half of the patience. */
    public static Optional<String> waitedFor(Object store, Duration patience) {
        return awaited(store, patience.dividedBy(2)).map(what -> "waited " + patience.toMillis() + " ms for " + what);
    }

    /** Returns what calls to a store wait for, if it knows. Throws nothing, which would hide the timeout. */
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
