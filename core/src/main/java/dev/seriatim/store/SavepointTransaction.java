// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;

/**
 * A capability of a transaction: what a unit of work, or a part of one, has done can be undone without the rest.
 *
 * <p>Called on the callers' own threads, between units and inside them.
 *
 * @param <T> the handle that units of work get
 */
public interface SavepointTransaction<T> extends SharedTransaction<T> {

    /** A point that can be returned to. */
    @FunctionalInterface
    interface Mark {

        /**
         * Undoes everything since, and the marks made since. This one stays. The transaction is usable again, whatever state it
         * was in.
         *
         * @throws SequenceException when that is not possible; the transaction is then of no use
         */
        void undo();
    }

    /**
     * Marks this point.
     *
     * @throws SequenceException.Overloaded when other sessions were in the way: everything can be repeated
     * @throws SequenceException when the transaction has become unusable; it is then rolled back
     */
    Mark mark();
}
