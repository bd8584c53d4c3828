// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * A sequence in POOLED mode: numbers are laid out ahead as rows, and each transaction claims its own, so transactions
 * of one sequence run in parallel. Unique and gapless, but <em>not</em> ordered, because transactions end in any order.
 *
 * <p><b>Gapless</b> here means: at any moment, the numbers in committed transactions and those in the pool together are
 * exactly start … counter. A rollback returns the number to the pool. The next claim takes it, because a claim takes the
 * lowest number that no other transaction holds. If all work is retried until it commits, the numbers in the table end up
 * contiguous from the start.
 *
 * <p>In two cases, claims may pass over a returned number for a while. If a transaction holds its number while thousands
 * of others are claimed, claims look for that number only once a second. On MariaDB, if several threads draw at the same
 * time, only one draw in 65 looks for returned numbers. Every draw does if rollbacks are frequent, and after 16 draws
 * with none concurrent.
 *
 * <p>Numbers are laid out in the background, in separate transactions: between 64 and 10,000 at a time, depending on the
 * measured rate and latency. This needs a connection in addition to those that callers hold. If none is available for a
 * second, a caller that finds no number draws from the counter itself, as {@link GaplessSequence#next(Object)} does.
 * Numbers drawn from the same sequence in other modes follow those already laid out.
 *
 * <p><b>Draw in the transaction that stores the number, and commit it</b>, as with a {@link GaplessSequence}.
 *
 * <p><b>Savepoints.</b> A rollback to a savepoint returns the numbers drawn after it to the pool: do not use any of
 * them. The next draw may take them again. Until the transaction ends, it depends on the database whether other
 * transactions can take them.
 *
 * <p><b>Isolation.</b> On PostgreSQL, use READ COMMITTED. At SERIALIZABLE, most concurrent transactions conflict.
 *
 * <p>Thread-safe; the caller is responsible for the transaction's thread-safety. Opened by
 * {@link GaplessSequence#pooled()}.
 *
 * @param <T> the transaction handle
 */
public interface PooledSequence<T> extends AutoCloseable {

    /** Returns the sequence's name in its store. */
    String name();

    /**
     * Returns the next number. If none is left, waits for more to be laid out. Waits for numbers and for locks each at
     * most as long as the patience of its {@link Sequences}. A call that the database does not answer ends one second
     * later, and its connection is lost.
     *
     * @throws SequenceException.Overloaded if another session or the transaction's own isolation level caused a
     *     conflict, if no number became free in time, or if the last numbers may be held and could not be checked; roll
     *     the transaction back and retry it
     * @throws SequenceException.Exhausted if every number has been dealt and committed, as confirmed by the pool itself
     * @throws SequenceException.Unavailable if the store cannot be reached, has no connection to lay out more or does
     *     not answer in time, or if the caller was interrupted
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws IllegalStateException if closed
     */
    long next(T transaction);

    /**
     * Returns the next {@code count} numbers, which need not be contiguous. Returns fewer only if the sequence has
     * fewer left that no other transaction holds.
     *
     * <p>If it throws, some numbers may already belong to the transaction. Roll it back; otherwise they are missing
     * when it commits.
     *
     * @throws SequenceException.Misconfigured if the count is below 1
     * @throws SequenceException as {@link #next(Object)}
     */
    Numbers next(T transaction, int count);

    /** Stops laying out numbers and rejects callers. Numbers already laid out stay in the pool; none is lost. */
    @Override
    void close();
}
