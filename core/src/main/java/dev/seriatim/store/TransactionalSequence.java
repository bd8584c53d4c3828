// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.internal.Counts;
import dev.seriatim.internal.Messages;
import java.time.Duration;

/**
 * A sequence in SYNC mode: draws numbers inside the caller's transaction. Unique, ordered and gapless, because a
 * rollback undoes its draws. In exchange, the counter stays locked until the transaction ends, so transactions that
 * draw run one after another.
 *
 * <p><b>Draw in the transaction that stores the number, and commit it.</b> If another transaction stores the number,
 * and the one that drew it rolls back, the number is dealt again. This also happens when you draw on a second
 * connection and close it without committing, because connection pools roll back open transactions on returned
 * connections. The library cannot detect either mistake.
 *
 * <p><b>Savepoints.</b> A rollback to a savepoint undoes the draws after it. Do not use any of those numbers, not even
 * the rest of a block: the next draw deals them again. Nothing is kept in memory between draws.
 *
 * <p><b>Isolation.</b> At REPEATABLE READ and SERIALIZABLE, a draw may fail with a conflict if another transaction has
 * drawn since this one began. It never deals a value twice.
 *
 * <p>Thread-safe; the caller is responsible for the transaction's thread-safety.
 *
 * @param <T> the transaction handle
 */
public final class TransactionalSequence<T> {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TransactionalStore<T> store;
    private final String name;
    private final Duration patience;

    private TransactionalSequence(TransactionalStore<T> store, String name, Duration patience) {
        this.store = store;
        this.name = name;
        this.patience = patience;
    }

    /**
     * Returns the sequence of this name in a store, with a patience of 10 seconds.
     *
     * @throws SequenceException.Misconfigured if the name is invalid
     */
    public static <T> TransactionalSequence<T> of(TransactionalStore<T> store, String name) {
        return new TransactionalSequence<>(store, SequenceDefinition.checkName(name), PATIENCE);
    }

    /**
     * Returns the same sequence with another patience: the maximum time a draw waits for the transaction that holds the
     * counter's lock. A draw that the database does not answer at all ends one second later, and its connection is
     * lost. The limits apply to the draw only and are reset before it returns.
     *
     * <p>Some engines apply a limit of their own instead; see the store's documentation.
     *
     * @throws SequenceException.Misconfigured if it is not positive
     */
    public TransactionalSequence<T> patience(Duration atMost) {
        return new TransactionalSequence<>(store, name, Counts.positive(atMost));
    }

    /** Returns the sequence's name in its store. */
    public String name() {
        return name;
    }

    /**
     * Returns the next value.
     *
     * @throws SequenceException.Overloaded if the counter stayed locked for as long as the patience, or another session
     *     caused a conflict; roll the transaction back and retry it
     * @throws SequenceException as {@link TransactionalStore#reserve(Object, String, long, Duration)}; roll the
     *     transaction back after one
     */
    public long next(T transaction) {
        return take(transaction, 1).first();
    }

    /**
     * Returns the next {@code count} values as one block, in one round trip. The block is shorter only if the sequence
     * has fewer left.
     *
     * @throws SequenceException.Misconfigured if the count is below 1
     * @throws SequenceException as {@link #next(Object)}; roll the transaction back after one
     */
    public Block next(T transaction, int count) {
        return take(transaction, Counts.checked(name, count));
    }

    /**
     * Returns a {@link Sequence} that draws in the given transaction, for code that takes a {@code Sequence}. Each call
     * costs the same as {@link #next(Object)} or {@link #next(Object, int)}: to draw many values in one round trip,
     * call {@code next(count)}.
     *
     * <p>Closing the returned sequence only ends its use. It is not thread-safe because its transaction is not.
     * {@code nextAsync} draws immediately, inside the transaction.
     */
    public Sequence within(T transaction) {
        return new WithinTransaction(name, count -> take(transaction, count));
    }

    @Override
    public String toString() {
        return "SYNC " + Messages.quoted(name);
    }

    private Block take(T transaction, int count) {
        return store.reserve(transaction, name, count, patience).block();
    }
}
