// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Capability of a store in the database of the user's tables: passes the numbers of a column to a visitor. */
public interface ColumnScanner {

    /** Receives the contents of a column. Called by one thread; an exception ends the scan. */
    interface Visitor {

        /**
         * Called once, before all other methods, if the sequence has a pool: the numbers that are laid out and not in a
         * committed transaction, from the same snapshot as everything else, in the order in which they are claimed.
         */
        default void laidOut(List<Block> numbers) {}

        /** Called once, before the numbers: the number of rows without a number. */
        void withoutNumber(long rows);

        /** Called for every number, in the direction of the sequence, once per occurrence. */
        void number(long number);

        /**
         * If a time column was named, called afterwards for every number that has a time: ordered by time, and by the
         * direction of the sequence within the same time.
         *
         * @param time the time as text; may be read only during the call
         */
        void inTime(long number, Supplier<String> time);
    }

    /**
     * Passes a sequence and a column to a visitor, both from one snapshot. Memory use does not depend on the number of
     * rows.
     *
     * @param name the sequence
     * @param visitor creates the visitor from the state of the sequence; not called if the column does not exist
     * @return the visitor, after it has received everything
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Misconfigured if the table or column does not exist, or does not hold integers
     * @throws SequenceException.Unavailable if the store fails; the visitor may have received a part
     */
    <V extends Visitor> V scan(String name, NumberColumn column, Function<SequenceState, V> visitor);
}
