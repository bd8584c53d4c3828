// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A sequence in SYNC mode: draws numbers inside the caller's transaction, directly from a store. Unique, ordered and
 * gapless; see {@link GaplessSequence}. Thread-safe; the caller is responsible for the transaction's thread-safety.
 *
 * @param <T> the transaction handle
 */
public class TransactionalSequence<T> {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TransactionalStore<T> store;
    private final String name;
    private final Duration patience;

    /** Creates the sequence of this name in a store. */
    protected TransactionalSequence(TransactionalStore<T> store, String name, Duration patience) {
        this.store = store;
        this.name = SequenceDefinition.checkName(name);
        this.patience = checkPatience(patience);
    }

    /** Returns a sequence with a patience of 10 s. Throws {@link SequenceException.Misconfigured} if the name is invalid. */
    public static <T> TransactionalSequence<T> of(TransactionalStore<T> store, String name) {
        return new TransactionalSequence<>(store, name, PATIENCE);
    }

    /**
     * Returns the same sequence with another patience: the maximum time a draw waits for the counter's lock. A draw that
     * the database does not answer ends one second later, and its connection is lost. The limits are reset before the
     * draw returns. Some engines apply a limit of their own instead; see the store's documentation.
     *
     * @throws SequenceException.Misconfigured if it is not positive
     */
    public final TransactionalSequence<T> patience(Duration atMost) {
        return new TransactionalSequence<>(store, name, atMost);
    }

    /** Returns the patience. Throws {@link SequenceException.Misconfigured} if it is not positive. */
    public static Duration checkPatience(Duration patience) {
        if (patience.isZero() || patience.isNegative()) {
            throw new SequenceException.Misconfigured("patience must be positive, not " + patience.toMillis() + " ms");
        }
        return patience;
    }

    /** Returns the sequence's name in its store. */
    public final String name() {
        return name;
    }

    /** Draws like {@link GaplessSequence#next(Object)}. */
    public final long next(T transaction) {
        return next(transaction, 1).first();
    }

    /** Draws like {@link GaplessSequence#next(Object, int)}. */
    public final Block next(T transaction, int count) {
        return next(transaction, count, patience);
    }

    /** Draws like {@link GaplessSequence#next(Object, int, Duration)}. */
    public final Block next(T transaction, int count, Duration atMost) {
        checkOpen();
        Duration shorter = atMost.compareTo(patience) < 0 ? checkPatience(atMost) : patience;
        return store.reserve(transaction, name, SequenceDefinition.checkCount(name, count), shorter)
                .block();
    }

    /** Draws and commits like {@link GaplessSequence#last}. */
    public final <X extends Exception> long last(T transaction, GaplessSequence.LastStep<X> step) throws X {
        checkOpen();
        return store.last(transaction, name, patience, step);
    }

    /** Returns a {@link Sequence} that draws in the given transaction, like {@link GaplessSequence#within}. */
    public final Sequence within(T transaction) {
        checkOpen();
        return new Within(transaction);
    }

    /** Throws if draws are no longer allowed; this method allows them. */
    protected void checkOpen() {}

    @Override
    public final String toString() {
        return "SYNC " + Messages.quoted(name);
    }

    /**
     * Draws in one transaction. Holds no values, because a rollback to a savepoint would take them back unnoticed. Not
     * thread-safe.
     */
    private final class Within implements Sequence {

        private final T transaction;
        private boolean closed;

        Within(T transaction) {
            this.transaction = transaction;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long next() {
            return next(1).first();
        }

        @Override
        public Block next(int count) {
            if (closed) {
                throw new IllegalStateException("sequence " + Messages.quoted(name)
                        + " was closed for this transaction; call within(transaction) again");
            }
            return store.reserve(transaction, name, SequenceDefinition.checkCount(name, count), patience)
                    .block();
        }

        @Override
        public CompletionStage<Long> nextAsync() {
            return CompletableFuture.completedFuture(next());
        }

        @Override
        public Sequence local() {
            throw new UnsupportedOperationException(
                    "sequence " + Messages.quoted(name)
                            + " is drawn inside a transaction and stays gapless and ordered; draw from it directly instead of calling local()");
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
