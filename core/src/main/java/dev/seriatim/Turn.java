// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * What a {@link UnitOfWork} works with: its numbers, and the transaction that it shares with units before and after it.
 *
 * <p>The thread's that runs the unit, until the unit returns.
 *
 * <p>A number that is drawn counts as used when the unit returns, whether or not a row holds it. So a unit that takes a part of
 * its work back must take that part's numbers back too: {@link #mark} and {@link Mark#undo} do, and so do savepoints made by
 * {@code Connection.setSavepoint} on {@link #transaction} in this unit. The SQL statement {@code ROLLBACK TO} is refused
 * once the unit has drawn, or while it has set no savepoint of its own; and after a statement about savepoints there is no way
 * back to those that {@code setSavepoint} gave a name before. What a function inside the database takes back by itself is not seen.
 *
 * @param <T> the handle of the transaction
 */
public interface Turn<T> {

    /** A point of the unit's work that it can go back to. The thread's that runs the unit. */
    interface Mark {

        /**
         * Undoes what the unit has done since, and gives the numbers back that it has drawn since. This mark stays; marks and
         * savepoints made after it are gone.
         *
         * @throws IllegalStateException when the unit has returned, or has gone back to an earlier mark or savepoint
         * @throws SequenceException when the database cannot go back: let it through, and the unit is undone as a whole
         */
        void undo();
    }

    /**
     * The transaction. It is shared: a unit may make savepoints of its own in it, but never commits it, rolls it back,
     * closes it, or does anything that would (such as changing tables, in MySQL). What it sets for the transaction or the
     * session, such as {@code SET LOCAL}, the units after it see too: see {@link UnitStart}.
     *
     * @throws IllegalStateException when the unit has returned
     */
    T transaction();

    /**
     * The next number. Costs no round trip.
     *
     * @throws SequenceException.Exhausted when every number has been dealt
     * @throws IllegalStateException when the unit has returned
     */
    long next();

    /**
     * The next {@code count} numbers in one piece. Shorter only when the sequence has fewer left.
     *
     * @throws SequenceException.Misconfigured when the count is below 1
     * @throws SequenceException.Exhausted when every number has been dealt
     * @throws IllegalStateException when the unit has returned
     */
    Block next(int count);

    /**
     * Marks this point, to go back to when a part of the work fails. Costs a round trip.
     *
     * @throws UnsupportedOperationException when the database has no savepoints
     * @throws SequenceException when the transaction cannot go on: let it through
     * @throws IllegalStateException when the unit has returned
     */
    Mark mark();
}
