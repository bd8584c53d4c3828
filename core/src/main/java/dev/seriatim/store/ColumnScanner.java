// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** A capability of a store that lives beside the user's tables: shows the numbers in a column one after another. */
public interface ColumnScanner {

    /** Looks at a column. Called by one thread; what it throws ends the scan. */
    interface Visitor {

        /**
         * Once, first of all, if the sequence has a pool: the numbers that are laid out in it and in no committed
         * transaction, at the same moment as everything else, in the order in which they are claimed.
         */
        default void laidOut(List<Block> numbers) {}

        /** Once, before the numbers: how many rows hold no number. */
        void withoutNumber(long rows);

        /** Every number, in the direction of the sequence; as often as it is there. */
        void number(long number);

        /**
         * After that, where a column with the time was named: every number that has one again, by its time, and numbers of
         * the same time in the direction of the sequence.
         *
         * @param time the time as a text; may be asked for only during the call
         */
        void inTime(long number, Supplier<String> time);
    }

    /**
     * Shows a sequence and a column as they stand at one moment. The memory that it takes does not depend on how much the
     * column holds.
     *
     * @param name the sequence
     * @param visitor makes the visitor from how the sequence stands; not called when there is no such column
     * @return the visitor, when it has seen all
     * @throws SequenceException.NotFound when there is no such sequence
     * @throws SequenceException.Misconfigured when there is no such table or column, or it does not hold whole numbers
     * @throws SequenceException.Unavailable when the store fails; the visitor may have seen a part by then
     */
    <V extends Visitor> V scan(String name, NumberColumn column, Function<SequenceState, V> visitor);
}
