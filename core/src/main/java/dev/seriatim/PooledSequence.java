// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.TransactionalSequence;

/**
 * The mode POOLED: numbers are laid out ahead, and each transaction claims its own, so that transactions of one sequence run
 * in parallel. Unique and gapless; <em>not</em> ordered, since transactions end in any order.
 *
 * <p><b>Gapless</b> means here: at any moment the numbers in committed transactions and those in the pool are together
 * exactly start … counter. A transaction that rolls back puts its number back, and the next claim takes it, since it takes
 * the lowest number that nobody holds. So a hole lasts as long as the transaction that holds it, or until somebody draws
 * again; and when every piece of work is repeated until it is committed, the numbers in the table are in the end exactly
 * the first so many. (One exception: where a transaction holds its number while thousands of others are claimed, that
 * number is looked for once a second from then on, not by every claim.)
 *
 * <p>Numbers are laid out in the background, in transactions of their own, before they run out: as many as the measured
 * rate and latency call for, between 64 and 10,000. That takes a connection beside those that callers hold. While none can
 * be had for a second, a caller who finds no number draws from the counter itself, as {@link TransactionalSequence} does.
 *
 * <p>Numbers that are drawn from the same sequence in other modes come after those that are laid out.
 *
 * <p><b>Draw in the transaction that stores the number, and commit it</b>: a number that another transaction has stored is
 * dealt again when the one that drew it rolls back, as a connection pool does when a connection is closed without a commit.
 *
 * <p><b>Savepoints.</b> A rollback to a savepoint puts back the numbers that were drawn after it: use none of them. The next
 * draw may take them again; until the transaction ends, other transactions may or may not.
 *
 * <p>Thread-safe; a transaction is its caller's. Opened by {@link StoreSequences#pooled}.
 *
 * @param <T> the handle of a transaction
 */
public interface PooledSequence<T> extends AutoCloseable {

    /** The sequence's name in its store. */
    String name();

    /**
     * The next number, which belongs to the transaction: a rollback puts it back.
     *
     * <p>When no number is left, it waits for more to be laid out, no longer than the patience of its {@link StoreSequences}; nor
     * does it wait longer than that for a lock. A call that the database does not answer ends one second later, and its
     * connection with it.
     *
     * @throws SequenceException.Overloaded when a conflict with another session, or the transaction's own isolation, is in
     *     the way, no number came free in time, or the last ones may be held and nobody could look: roll the transaction back and
     *     repeat it
     * @throws SequenceException.Exhausted when every number has been dealt and committed, as the pool itself has told
     * @throws SequenceException.Unavailable when the store cannot be reached, has no connection to lay out more or does not
     *     answer in time, or the caller was interrupted
     * @throws SequenceException.NotFound when there is no such sequence
     * @throws IllegalStateException when closed
     */
    long next(T transaction);

    /**
     * The next {@code count} numbers, which need not be in one piece. Fewer only when the sequence has fewer left that no
     * other transaction holds.
     *
     * <p>When it throws, it may have claimed some of them, which then belong to the transaction: roll that back, or they are
     * missing when it commits.
     *
     * @throws SequenceException.Misconfigured when the count is below 1
     * @throws SequenceException as {@link #next(Object)}
     */
    Numbers next(T transaction, int count);

    /** Lays out no more numbers, and turns callers away. What is laid out stays: nothing is lost. */
    @Override
    void close();
}
