// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import org.jspecify.annotations.Nullable;

/**
 * A sequence in GROUPED mode: callers' units of work run one after another in one transaction and share its commit.
 * Unique, ordered and gapless like {@link GaplessSequence}, but with many callers per commit.
 *
 * <ol>
 *   <li>Callers queue. For the first caller, the store begins a transaction and locks the counter.
 *   <li>Each caller runs its own unit on its own thread, then passes the turn to the next.
 *   <li>When no caller is waiting, or the group is large or old enough, the counter is written once and the transaction
 *       commits. Only then do the callers return.
 * </ol>
 *
 * <p>Units share a transaction, so settings that last until its end, such as PostgreSQL's {@code SET LOCAL app.tenant},
 * are visible to later units. To reset them before each unit, open the sequence with a {@link UnitStart}.
 *
 * <p>If the counter is behind this instance's own last commit in the same epoch, as after restoring a backup, the
 * sequence stops. Commits by other processes are not checked.
 *
 * <p>Thread-safe. Opened by {@link GaplessSequence#grouped()}.
 *
 * @param <T> the handle of the transaction that units work in
 */
public interface GroupedSequence<T> extends AutoCloseable {

    /** Maximum number of units that share a transaction. */
    int MOST_UNITS = 128;

    /** Returns the sequence's name in its store. */
    String name();

    /**
     * Runs a unit of work and returns after it is committed. The unit must be repeatable: see {@link UnitOfWork}.
     *
     * <p>Waits for the turn and for the commit, in total at most as long as the patience of its {@link Sequences}.
     * The unit's own running time does not count the first time, nor for up to two repetitions that other callers have
     * caused. Interrupting the caller ends the wait and leaves the thread interrupted; a running unit is not stopped. While
     * the caller's own thread begins or commits the transaction, an interrupt takes effect when the database has answered.
     *
     * <p>A unit that causes a conflict with another session runs again; from the second repetition on, it runs alone,
     * behind the others.
     *
     * @return the result of the unit's last run
     * @throws X what the unit threw; none of its work is committed, and no other caller is affected
     * @throws SequenceException.Overloaded if the turn, the lock on the counter, or the commit did not come within the
     *     patience; nothing is committed
     * @throws SequenceException.Unavailable if the store cannot be reached or the caller was interrupted; nothing is
     *     committed
     * @throws SequenceException.CommitOutcomeUnknown if the commit was sent but not answered, or not within the
     *     patience; or if a unit ended the shared transaction, in which case an exception thrown by the unit is
     *     attached as suppressed. Check the database before repeating the unit
     * @throws SequenceException.Misconfigured if the unit broke the transaction without reporting it, or violates a
     *     constraint that is checked at commit; nothing is committed
     * @throws SequenceException.Regressed if the counter is behind what this instance has committed; the sequence is
     *     stopped
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws IllegalStateException if closed, or if called inside a unit of the same sequence
     */
    <R extends @Nullable Object, X extends Exception> R commit(UnitOfWork<T, R, X> unit) throws X;

    /**
     * Stops accepting callers, rejects those whose units have not run, and waits for the others' commits, at most as
     * long as the patience. Further calls have no effect.
     */
    @Override
    void close();
}
