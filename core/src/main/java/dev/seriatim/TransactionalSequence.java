// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * The mode SYNC: numbers drawn inside the caller's transaction. Unique, ordered and gapless, since a rollback takes its
 * numbers back; the price is that the counter stays locked until the transaction ends, so all who draw from it go one
 * after another.
 *
 * <p>Thread-safe; a transaction is its caller's.
 *
 * @param <T> the handle of a transaction
 */
public final class TransactionalSequence<T> {

    private final TransactionalStore<T> store;
    private final String name;

    private TransactionalSequence(TransactionalStore<T> store, String name) {
        this.store = store;
        this.name = name;
    }

    /**
     * The sequence of this name in a store.
     *
     * @throws SequenceException.Misconfigured when the name is not one
     */
    public static <T> TransactionalSequence<T> of(TransactionalStore<T> store, String name) {
        return new TransactionalSequence<>(store, SequenceDefinition.checkName(name));
    }

    /** The sequence's name in its store. */
    public String name() {
        return name;
    }

    /**
     * The next value.
     *
     * @throws SequenceException as {@link TransactionalStore#reserve}; after one, roll the transaction back
     */
    public long next(T transaction) {
        return store.reserve(transaction, name, 1).block().first();
    }

    /**
     * The next {@code count} values in one piece, in one round trip. Shorter only when the sequence has fewer left.
     *
     * @throws SequenceException.Misconfigured when the count is below 1
     * @throws SequenceException as {@link TransactionalStore#reserve}; after one, roll the transaction back
     */
    public Block next(T transaction, int count) {
        return store.reserve(transaction, name, Counts.checked(name, count)).block();
    }

    /**
     * A sequence for many draws in one transaction, whose number is not known ahead: two round trips for up to
     * {@code cache} values, instead of one for each. The first draw takes a block; closing puts its unused end back.
     *
     * <p><em>Close it before the commit.</em> If that is forgotten, the unused end is missing from the sequence: a gap,
     * never a duplicate. Not thread-safe, as its transaction is not; {@code nextAsync} draws at once, inside the
     * transaction.
     */
    public Sequence within(T transaction) {
        return new WithinTransaction<>(store, name, transaction);
    }
}
