// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;

/**
 * Capability of a transaction: the work of a unit, or part of it, can be undone. Called on the callers' own threads.
 *
 * @param <T> the handle passed to units of work
 */
public interface SavepointTransaction<T> extends SharedTransaction<T> {

    /** A point to which the transaction can roll back. */
    @FunctionalInterface
    interface Mark {

        /**
         * Undoes all work since this mark, and discards later marks. This mark stays valid. The transaction is usable
         * again, whatever its state was.
         *
         * @throws SequenceException if that is not possible; the transaction is then unusable
         */
        void undo();
    }

    /**
     * Marks this point.
     *
     * @throws SequenceException.Overloaded if other sessions caused a conflict; the whole transaction can be repeated
     * @throws SequenceException if the transaction has become unusable and must be rolled back
     */
    Mark mark();
}
