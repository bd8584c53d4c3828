// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.OptionalLong;

/**
 * Capability of a store that is in the same database as the user's tables: reads the highest or lowest value of a
 * column.
 */
public interface ColumnReader {

    /**
     * Returns the highest or the lowest value in a column.
     *
     * @param highest true for the highest, false for the lowest
     * @return empty if the column holds no value
     * @throws SequenceException.Misconfigured if the table or column does not exist, or does not hold integers
     */
    OptionalLong extreme(ColumnName column, boolean highest);
}
