// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.draw.Counts;
import java.time.Duration;

/**
 * The mode SYNC: numbers drawn inside the caller's transaction. Unique, ordered and gapless, since a rollback takes its
 * numbers back; the price is that the counter stays locked until the transaction ends, so all who draw from it go one
 * after another.
 *
 * <p><b>Draw in the transaction that stores the number, and commit it.</b> A number that is stored by another transaction is
 * dealt again when the one that drew it rolls back. Connection pools roll back what is open on a connection that is returned
 * to them, so this also happens when a number is drawn on a second connection that is closed without a commit. The library
 * cannot see either.
 *
 * <p><b>Savepoints.</b> A rollback to a savepoint takes back the numbers that were drawn after it: use none of them, not even
 * the rest of a block. The next draw deals them again. Nothing is kept in memory between draws.
 *
 * <p><b>Isolation.</b> At REPEATABLE READ and SERIALIZABLE, a draw may fail with a conflict when another transaction has
 * drawn since this one began. It never deals a value twice.
 *
 * <p>Thread-safe; a transaction is its caller's.
 *
 * @param <T> the handle of a transaction
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
     * The sequence of this name in a store, with a patience of 10 seconds.
     *
     * @throws SequenceException.Misconfigured when the name is not one
     */
    public static <T> TransactionalSequence<T> of(TransactionalStore<T> store, String name) {
        return new TransactionalSequence<>(store, SequenceDefinition.checkName(name), PATIENCE);
    }

    /**
     * The same sequence with another patience: how long a draw waits for the transaction that holds the counter's lock. A draw
     * that the database does not answer at all ends one second later, and its connection with it. The limits hold for the draw
     * alone; they are put back before it returns.
     *
     * <p>The store's documentation says where an engine's own limit takes its place.
     *
     * @throws SequenceException.Misconfigured when it is not positive
     */
    public TransactionalSequence<T> patience(Duration atMost) {
        return new TransactionalSequence<>(store, name, Counts.positive(atMost));
    }

    /** The sequence's name in its store. */
    public String name() {
        return name;
    }

    /**
     * The next value.
     *
     * @throws SequenceException.Overloaded when the counter stayed locked for the patience, or another session was in
     *     conflict; roll the transaction back and repeat it
     * @throws SequenceException as {@link TransactionalStore#reserve(Object, String, long, Duration)}; after one, roll the
     *     transaction back
     */
    public long next(T transaction) {
        return take(transaction, 1).first();
    }

    /**
     * The next {@code count} values in one piece, in one round trip. Shorter only when the sequence has fewer left.
     *
     * @throws SequenceException.Misconfigured when the count is below 1
     * @throws SequenceException as {@link #next(Object)}; after one, roll the transaction back
     */
    public Block next(T transaction, int count) {
        return take(transaction, Counts.checked(name, count));
    }

    /**
     * This sequence as a {@link Sequence} whose values are drawn in one transaction, for code that takes a {@code Sequence}.
     * Each call draws as {@link #next(Object)} or {@link #next(Object, int)} does, at the same cost: to draw many values in
     * one round trip, call {@code next(count)}.
     *
     * <p>Closing it ends its use and does nothing else. Not thread-safe, as its transaction is not; {@code nextAsync} draws at
     * once, inside the transaction.
     */
    public Sequence within(T transaction) {
        return new WithinTransaction(name, count -> take(transaction, count));
    }

    private Block take(T transaction, int count) {
        return store.reserve(transaction, name, count, patience).block();
    }
}
