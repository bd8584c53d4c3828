// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.OptionalLong;

/** A capability of a store that lives beside the user's tables: looks up how far a column has come. */
public interface ColumnReader {

    /**
     * The highest value in a column, or the lowest.
     *
     * @param table the table, a plain identifier
     * @param column the column, a plain identifier
     * @param highest true for the highest, false for the lowest
     * @return empty when the column holds no value
     * @throws SequenceException.Misconfigured when there is no such table or column, or it does not hold whole numbers
     */
    OptionalLong extreme(String table, String column, boolean highest);
}
