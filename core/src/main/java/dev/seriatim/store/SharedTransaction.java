// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;

/**
 * A transaction in which several units of work run one after another, with the counter of one sequence locked in it.
 *
 * <p>Used by one thread at a time, but by many in its life; who uses it sees what those before did. It ends with
 * {@link #commit} or {@link #rollback}, one of which is called exactly once, on a thread that nobody interrupts.
 *
 * @param <T> the handle that units of work get
 */
public interface SharedTransaction<T> {

    /** Who is to blame for what a unit of work has thrown. */
    enum Blame {
        /** The unit itself, as far as anyone can tell. */
        UNIT,
        /** An earlier unit in this transaction, if there was one: it failed, kept that to itself, and nothing works since. */
        EARLIER_UNIT,
        /** Another session: a conflict, after which everything in this transaction can be repeated in another. */
        OTHER_SESSION
    }

    /**
     * How far the unit whose turn it is has drawn: for a store that sees a unit go back to a savepoint of its own, which must
     * take its numbers back too.
     */
    interface Drawn {

        /** The counter as the unit has left it so far. */
        SequenceState counter();

        /** Whether the unit holds numbers that it has drawn. */
        boolean hasDrawn();

        /** Marks how far the unit has drawn. */
        Place here();

        /** How far a unit had drawn at some point of its work. */
        interface Place {

            /** Whether the unit has gone back to a place before this one. */
            boolean passed();

            /**
             * Takes back what was drawn since; the places that were marked since have been passed then.
             *
             * @throws IllegalStateException when the unit has returned, or this place has been passed
             */
            void back();
        }
    }

    /**
     * What the unit whose turn it is works with.
     *
     * @param drawn the same object for the whole of one turn, another one for another turn
     */
    T handle(Drawn drawn);

    /** The counter as it was locked. */
    SequenceState counter();

    /** Who is to blame for what a unit has thrown. Asks nothing of the database, and never throws. */
    Blame blame(Throwable thrown);

    /**
     * Writes the counter, if it has moved, and commits. The transaction has ended afterwards, whatever happens.
     *
     * @throws SequenceException.CommitOutcomeUnknown when that cannot be told
     * @throws SequenceException.Overloaded when other sessions were in the way: nothing was committed, and everything can
     *     be repeated
     * @throws SequenceException any other, when nothing was committed for a reason that lies in the work or in the store
     */
    void commit(SequenceState counter);

    /**
     * Ends the transaction without anything committed; what cannot be rolled back is cut off.
     *
     * @throws SequenceException.CommitOutcomeUnknown when a unit has ended the transaction before, so that what was done in it
     *     may be committed; it has ended all the same
     */
    void rollback();
}
