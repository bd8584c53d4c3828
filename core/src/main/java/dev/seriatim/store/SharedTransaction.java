// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.time.Duration;

/**
 * A transaction in which several units of work run one after another, with the counter of one sequence locked. Used by
 * many threads, one at a time; each sees the effects of the threads before it. It ends with either {@link #commit} or
 * {@link #rollback}, called exactly once, on a thread that is never interrupted, or with {@link #commitHere}.
 *
 * @param <T> the handle passed to units of work
 */
public interface SharedTransaction<T> {

    /** The cause of an exception thrown by a unit of work. */
    enum Blame {
        /** The unit itself, as far as can be determined. */
        UNIT,
        /**
         * An earlier unit, if any: it failed without reporting it, and every statement since has failed; or the
         * transaction exceeds a limit that the unit alone may keep.
         */
        EARLIER_UNIT,
        /** Another session: a conflict, after which everything in this transaction can be repeated in another one. */
        OTHER_SESSION
    }

    /** The current unit's draws. The store undoes them if the unit rolls back to a savepoint that it has set itself. */
    interface Drawn {

        /** Returns the counter as the unit has left it so far. */
        SequenceState counter();

        /** Returns whether the unit holds numbers that it has drawn. */
        boolean hasDrawn();

        /** Records the unit's last drawn value. */
        Place here();

        /** A unit's draws up to some point of its work. */
        interface Place {

            /** Returns whether the unit has rolled back to a point before this one. */
            boolean passed();

            /**
             * Undoes the draws since this point. Later places are then invalid.
             *
             * @throws IllegalStateException if the unit has returned, or has rolled back to a point before this one
             */
            void back();
        }
    }

    /**
     * Returns the handle for the current unit.
     *
     * @param drawn the same object throughout one turn, a different one for each turn
     */
    T handle(Drawn drawn);

    /** Returns the counter as it was locked. */
    SequenceState counter();

    /** Returns the cause of what a unit has thrown. Does not access the database and never throws. */
    Blame blame(Throwable thrown);

    /**
     * Writes the counter if it has changed, and commits. The transaction has ended afterwards in any case.
     *
     * @throws SequenceException.CommitOutcomeUnknown if the outcome cannot be determined
     * @throws SequenceException.Overloaded if other sessions caused a conflict; nothing was committed, and everything
     *     can be repeated
     * @throws SequenceException any other, if nothing was committed because of the work or the store
     */
    void commit(SequenceState counter);

    /**
     * Like {@link #commit}, but on a caller's thread. Waits only for the answer to the commit, at most {@code atMost},
     * after which the outcome is unknown. An interrupt must do no harm, and need not end the wait.
     *
     * @return false if committing here is not possible; then nothing has happened, and {@link #commit} follows
     * @throws SequenceException as {@link #commit}
     */
    default boolean commitHere(SequenceState counter, Duration atMost) {
        return false;
    }

    /**
     * Ends the transaction without committing; if the rollback fails, cuts the connection.
     *
     * @throws SequenceException.CommitOutcomeUnknown if a unit has already ended the transaction, so that its work may
     *     be committed; the transaction has ended nevertheless
     */
    void rollback();
}
