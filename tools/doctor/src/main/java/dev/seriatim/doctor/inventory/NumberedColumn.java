// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.util.List;
import java.util.Optional;

/**
 * A column that holds the numbers of a source.
 *
 * @param range the numbers that its type holds
 * @param foreign whether the sequence that it draws from and its table have different owners
 * @param held the lowest and the highest of its numbers; empty if it holds none, or was not read
 * @param applied whether only applications are known to draw for it, perhaps blocks of numbers at a time
 * @param children narrow columns that hold its numbers by foreign keys, directly or not; without children or ends
 */
public record NumberedColumn(
        ColumnPath name,
        String type,
        ValueRange range,
        boolean foreign,
        Optional<ValueRange> held,
        boolean applied,
        List<NumberedColumn> children) {

    public ObjectName table() {
        return name.table();
    }

    public String path() {
        return name.toString();
    }
}
