// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * A sequence whose numbers are gapless: the numbers in committed transactions are exactly start … counter, since a rollback takes its
 * numbers back.
 *
 * <p>{@link #next(Object) next(transaction)} draws inside the caller's transaction (the mode SYNC): unique, ordered and gapless. The counter
 * stays locked until that transaction ends, so all who draw go one after another. Two ways are faster:
 *
 * <ul>
 *   <li>{@link #grouped()}: many callers share a transaction and its commit; just as ordered.
 *   <li>{@link #pooled()}: transactions run in parallel; not ordered.
 * </ul>
 *
 * <p><b>Draw in the transaction that stores the number, and commit it.</b> A number that another transaction stores is dealt again when the
 * one that drew it rolls back. Connection pools roll back what is open on a connection that is returned to them, so this also happens when a
 * number is drawn on a second connection that is closed without a commit. The library cannot see either.
 *
 * <p><b>Savepoints.</b> A rollback to a savepoint takes back the numbers that were drawn after it: use none of them, not even the rest of a
 * block. The next draw deals them again. Nothing is kept in memory between draws.
 *
 * <p><b>Isolation.</b> At REPEATABLE READ and SERIALIZABLE, a draw may fail with a conflict when another transaction has drawn since this one
 * began. It never deals a value twice.
 *
 * <p>Thread-safe; a transaction is its caller's.
 *
 * @param <T> the handle of a transaction, such as a JDBC connection
 */
public interface GaplessSequence<T> {

    /** The sequence's name in its store. */
    String name();

    /**
     * Draws the next number inside the transaction. Waits for the transaction that holds the counter, no longer than the patience.
     *
     * @throws SequenceException.Overloaded when the counter stayed locked for the patience, or another session was in conflict; roll the
     *     transaction back and repeat it
     * @throws SequenceException.Exhausted when every number has been dealt
     * @throws SequenceException.NotFound when there is no such sequence
     * @throws SequenceException.Misconfigured when the transaction cannot hold a draw, as when it is read-only or commits by itself
     * @throws SequenceException.Unavailable when the store cannot be reached or does not answer; roll the transaction back
     * @throws IllegalStateException when closed
     */
    long next(T transaction);

    /**
     * Draws the next {@code count} numbers in one piece, in one round trip. Fewer only when the sequence has fewer left.
     *
     * @throws SequenceException.Misconfigured when the count is below 1
     * @throws SequenceException as {@link #next(Object)}; after one, roll the transaction back
     * @throws IllegalStateException when closed
     */
    Block next(T transaction, int count);

    /**
     * Returns this sequence as a {@link Sequence} whose numbers are drawn in one transaction, for code that takes a {@code Sequence}. Each
     * call draws as {@link #next(Object)} or {@link #next(Object, int)} does, at the same cost.
     *
     * <p>Closing it ends its use and does nothing else. Not thread-safe, as its transaction is not; {@code nextAsync} draws at once, inside
     * the transaction.
     */
    Sequence within(T transaction);

    /**
     * Opens this sequence in the mode GROUPED. Opening it again returns the same one, until it is closed.
     *
     * @throws SequenceException.Misconfigured when it is open with a {@link UnitStart}
     * @throws IllegalStateException when closed
     */
    GroupedSequence<T> grouped();

    /**
     * As {@link #grouped()}, with something done before each unit: what one unit has set in the transaction, such as {@code SET LOCAL}, the
     * next one sees, unless this sets it anew.
     *
     * @param start runs before each unit, on its caller's thread; keep it in a field, since opening the sequence again asks for an equal one
     * @throws SequenceException.Misconfigured when it is open with another start
     * @throws IllegalStateException when closed
     */
    GroupedSequence<T> grouped(UnitStart<? super T> start);

    /**
     * Opens this sequence in the mode POOLED, and lays out the first numbers in the background. Opening it again returns the same one, until
     * it is closed.
     *
     * @throws SequenceException.Misconfigured when the database cannot pool; says why, and what to use instead
     * @throws IllegalStateException when closed
     */
    PooledSequence<T> pooled();
}
