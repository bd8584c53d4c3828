// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * A capability of a transaction: what one unit of work has done can be undone without the others' work.
 *
 * <p>Called on the callers' own threads, between units.
 *
 * @param <T> the handle that units of work get
 */
public interface SavepointTransaction<T> extends SharedTransaction<T> {

    /**
     * Marks this point, in place of the one that was marked before.
     *
     * @throws SequenceException.Overloaded when other sessions were in the way: everything can be repeated
     * @throws SequenceException when the transaction has become unusable; it is then rolled back
     */
    void mark();

    /**
     * Undoes everything since the mark, which stays. The transaction is usable again, whatever state it was in.
     *
     * @throws SequenceException when that is not possible; the transaction is then rolled back
     */
    void undo();
}
