// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A committed row's place in a feed. Immutable if its values are.
 *
 * @param position counts from 1, without gaps, in commit order
 * @param key the row's key when it was inserted: a {@code Long} for any integer, otherwise the driver's object; a
 *     {@code List} of these if it has several columns
 * @param row the columns that {@link Feed#select} names; empty if the row is gone, or if none are selected
 */
public record Entry(long position, Object key, Optional<Map<String, @Nullable Object>> row) {

    /**
     * Returns a column of the row as text.
     *
     * @throws IllegalStateException if the row is gone or the column is not selected
     */
    public @Nullable String text(String column) {
        Map<String, @Nullable Object> columns = row.orElseThrow(
                () -> new IllegalStateException("the row of position " + position + " is gone or not selected"));
        if (!columns.containsKey(column)) {
            throw new IllegalStateException("column '" + column + "' is not selected");
        }
        Object value = columns.get(column);
        return value == null ? null : value.toString();
    }
}
