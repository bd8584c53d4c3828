// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * Gives a {@link UnitOfWork} its numbers, and the transaction that it shares with the units before and after it.
 *
 * <p>For use only by the thread that runs the unit, until the unit returns. Any other use throws
 * {@link IllegalStateException}. The transaction is as thread-safe as the database's own handle.
 *
 * <p>When the unit returns, every number it has drawn counts as used, whether or not a row stores it. So a unit that
 * undoes part of its work must also undo that part's draws. {@link #mark} with {@link Mark#undo} does this, and so do
 * savepoints that this unit sets with {@code Connection.setSavepoint} on {@link #transaction}. The SQL statement
 * {@code ROLLBACK TO} is refused after the unit has drawn, before it has set a savepoint itself, and in a batch or
 * prepared statement. After an SQL statement about savepoints, the unit can no longer roll back to a named savepoint
 * that {@code setSavepoint} created earlier. Rollbacks inside database functions are not detected.
 *
 * @param <T> the transaction handle
 */
public interface Turn<T> {

    /** A point in the unit's work to which it can roll back. For use only by the thread that runs the unit. */
    interface Mark {

        /**
         * Rolls back the unit's work since this mark, including its draws. This mark stays valid; marks
         * and savepoints made after it do not.
         *
         * @throws IllegalStateException if the unit has returned, or has rolled back to an earlier mark or savepoint, or
         *     on another thread
         * @throws SequenceException if the database cannot roll back to this point; let it propagate, and the whole
         *     unit is undone
         */
        void undo();
    }

    /**
     * Returns the transaction. It is shared: a unit may make savepoints in it, but must not commit it, roll it back,
     * close it, or do anything that implicitly does so (such as changing tables in MySQL). Later units see what this
     * unit sets for the transaction or the session, for example with {@code SET LOCAL}: see {@link UnitStart}.
     */
    T transaction();

    /**
     * Returns the next number, without a round trip.
     *
     * @throws SequenceException.Exhausted if every number has been dealt
     */
    long next();

    /**
     * Returns the next {@code count} numbers as one block. The block is shorter only if the sequence has fewer left.
     *
     * @throws SequenceException.Misconfigured if the count is below 1
     * @throws SequenceException.Exhausted if every number has been dealt
     */
    Block next(int count);

    /**
     * Marks the current point, so that the unit can roll back to it if part of the work fails. Costs one round trip.
     *
     * @throws UnsupportedOperationException if the database has no savepoints
     * @throws SequenceException if the transaction cannot continue; let it propagate
     */
    Mark mark();
}
