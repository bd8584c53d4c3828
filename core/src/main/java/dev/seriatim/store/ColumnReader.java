// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.OptionalLong;

/** Capability of a store in the database of the user's tables: reads the highest or lowest value of a column. */
public interface ColumnReader {

    /**
     * Returns the highest or the lowest value in a column; empty if it holds none.
     *
     * @throws SequenceException.Misconfigured if the table or column does not exist, or does not hold integers
     */
    OptionalLong extreme(ColumnName column, boolean highest);
}
