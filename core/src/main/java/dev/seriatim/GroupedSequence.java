// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.TransactionalSequence;
import org.jspecify.annotations.Nullable;

/**
 * The mode GROUPED: callers' units of work run one after another in one transaction and share its commit. Unique, ordered
 * and gapless as with {@link TransactionalSequence}, at the speed of many callers per commit.
 *
 * <ol>
 *   <li>Callers queue. For the one in front a transaction is begun and the counter is locked in it.
 *   <li>Each runs its own unit, on its own thread, and passes the turn on to the next.
 *   <li>When nobody waits, or the group is large or old enough, the counter is written once and the transaction is
 *       committed. Only then do its callers return.
 * </ol>
 *
 * <p>Units share a transaction, so settings that last until its end, such as PostgreSQL's {@code SET LOCAL app.tenant}, are seen by
 * the units after: open the sequence with a {@link UnitStart} that sets them anew before each unit.
 *
 * <p>A restored backup: a counter that stands behind this instance's own last commit, in the same epoch, stops the sequence.
 * Other processes' commits are not known here.
 *
 * <p>Thread-safe. Opened by {@link StoreSequences#grouped(String, GroupingStore)}.
 *
 * @param <T> the handle of the transaction that units work in
 */
public interface GroupedSequence<T> extends AutoCloseable {

    /** The most units that share a transaction. */
    int MOST_UNITS = 128;

    /** The sequence's name in its store. */
    String name();

    /**
     * Runs a unit of work, and returns when it is committed. The unit must be repeatable: see {@link UnitOfWork}.
     *
     * <p>Waits no longer than the patience of its {@link StoreSequences}, for its turn and for the commit together; how long the
     * unit itself takes does not count when it first runs, nor when others have caused its repetition, twice at most. Interrupting the caller ends the waiting, and its thread stays
     * interrupted; a unit that runs is not stopped.
     *
     * <p>A unit that raises a conflict with another session runs again; from the second time on alone, behind the others.
     *
     * @return what the unit returned when it ran last
     * @throws X what the unit threw; nothing of it is committed, and no other caller sees it
     * @throws SequenceException.Overloaded when there was no turn, no lock on the counter, or no commit, within the patience:
     *     nothing is committed
     * @throws SequenceException.Unavailable when the store cannot be reached or the caller was interrupted: nothing is
     *     committed
     * @throws SequenceException.CommitOutcomeUnknown when the commit was sent and its answer did not come, or not within
     *     the patience; or when a unit has ended the transaction that it shares, in which case a unit that threw has its exception
     *     attached as suppressed: look before repeating the unit
     * @throws SequenceException.Misconfigured when the unit spoiled the transaction and kept that to itself, or breaks a rule that
     *     is checked at the commit: nothing is committed
     * @throws SequenceException.Regressed when the counter is behind what this instance has committed: the sequence is stopped
     * @throws SequenceException.NotFound when there is no such sequence
     * @throws IllegalStateException when closed, or when called inside a unit of the same sequence
     */
    <R extends @Nullable Object, X extends Exception> R commit(UnitOfWork<T, R, X> unit) throws X;

    /**
     * Takes in no more callers, turns those away whose units have not run, and waits for the others' commits, no longer than
     * the patience. Calling it again does nothing.
     */
    @Override
    void close();
}
