// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.time.Duration;

/**
 * A sequence whose numbers are gapless: the numbers in committed transactions are exactly start … counter, because a
 * rollback undoes its draws.
 *
 * <p>{@link #next(Object) next(transaction)} draws inside the caller's transaction (SYNC mode): unique, ordered and
 * gapless. The counter stays locked until that transaction ends, so transactions that draw run one after another. Two
 * modes are faster. In {@link #grouped()}, many callers share a transaction and its commit; equally ordered. In
 * {@link #pooled()}, transactions run in parallel; not ordered.
 *
 * <p><b>Draw in the transaction that stores the number, and commit it.</b> If another transaction stores the number,
 * and the one that drew it rolls back, the number is dealt again. A connection pool rolls back when you close a
 * connection without committing. The library cannot detect either mistake.
 *
 * <p><b>Savepoints.</b> A rollback to a savepoint undoes the draws after it. Do not use any of those numbers, not even
 * the rest of a block: the next draw deals them again. Nothing is kept in memory between draws.
 *
 * <p><b>Isolation.</b> At REPEATABLE READ and SERIALIZABLE, a draw may fail with a conflict if another transaction has
 * drawn since this one began. It never deals a value twice.
 *
 * <p>Once its {@link Sequences} are closed, draws and openings throw {@link IllegalStateException}. Thread-safe; the
 * caller is responsible for the transaction's thread-safety.
 *
 * @param <T> the transaction handle, such as a JDBC connection
 */
public interface GaplessSequence<T> {

    /** Returns the sequence's name in its store. */
    String name();

    /**
     * Draws the next number inside the transaction. Waits for the transaction that holds the counter, at most as long
     * as the patience.
     *
     * @throws SequenceException.Overloaded if the counter stayed locked for as long as the patience, or another session
     *     caused a conflict; roll the transaction back and retry it
     * @throws SequenceException.Exhausted if every number has been dealt
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Misconfigured if the transaction cannot hold a draw, for example because it is
     *     read-only or in auto-commit mode
     * @throws SequenceException.Unavailable if the store cannot be reached or does not answer; roll the transaction
     *     back
     */
    long next(T transaction);

    /**
     * Draws the next {@code count} numbers as one block, in one round trip. The block is shorter only if the sequence
     * has fewer left.
     *
     * @throws SequenceException.Misconfigured if the count is below 1
     * @throws SequenceException as {@link #next(Object)}; roll the transaction back after one
     */
    Block next(T transaction, int count);

    /**
     * Draws like {@link #next(Object, int)}, but waits for the counter at most for the given time, or for the patience
     * if that is shorter.
     *
     * @throws SequenceException.Misconfigured if the time is not positive
     */
    Block next(T transaction, int count, Duration atMost);

    /** The last step of a transaction, which stores its number. */
    @FunctionalInterface
    interface LastStep<X extends Exception> {
        /** Runs in the transaction; does not end it, and does not close its connection. */
        void run(long number) throws X;
    }

    /**
     * Draws the next number, runs the last step of the transaction, usually an UPDATE that stores the number, and commits. The
     * counter is locked from the draw to the end of the commit, not for the whole rest of the transaction, so that transactions
     * with other work wait less for each other.
     *
     * <p>If the step or the commit fails, the transaction is rolled back. A draw that fails leaves it open.
     *
     * @return the number, which is committed
     * @throws X what the step throws
     * @throws SequenceException.CommitOutcomeUnknown if the connection broke after the step, or the answer to the commit did
     *     not come one second after the patience
     * @throws SequenceException.Overloaded also if another session caused a conflict at the commit
     * @throws SequenceException.Misconfigured also if the step has ended the transaction, undone the draw or swallowed a failure
     *     that did so, if the database rejects the commit, or if the store does not end its callers' transactions, such as that
     *     of Spanner's client
     * @throws SequenceException as {@link #next(Object)}
     */
    <X extends Exception> long last(T transaction, LastStep<X> step) throws X;

    /**
     * Returns a {@link Sequence} that draws in the given transaction, for code that takes a {@code Sequence}. Each call
     * costs the same as {@link #next(Object)} or {@link #next(Object, int)}.
     *
     * <p>Closing the returned sequence only ends its use. It is not thread-safe because its transaction is not.
     * {@code nextAsync} draws immediately, inside the transaction.
     */
    Sequence within(T transaction);

    /**
     * Opens this sequence in GROUPED mode. Until it is closed, opening it again returns the same instance.
     *
     * @throws SequenceException.Misconfigured if it is already open with a {@link UnitStart}
     */
    GroupedSequence<T> grouped();

    /**
     * Like {@link #grouped()}, but runs {@code start} before each unit. Without it, each unit sees what earlier units
     * have set in the transaction, for example with {@code SET LOCAL}.
     *
     * @param start runs before each unit, on its caller's thread; keep it in a field, because opening the sequence
     *     again requires an equal one
     * @throws SequenceException.Misconfigured if it is already open with another start
     */
    GroupedSequence<T> grouped(UnitStart<? super T> start);

    /**
     * Opens this sequence in POOLED mode and lays out the first numbers in the background. Until it is closed, opening
     * it again returns the same instance.
     *
     * @throws SequenceException.Misconfigured if the database does not support pools; the message gives the reason and
     *     an alternative
     */
    PooledSequence<T> pooled();
}
