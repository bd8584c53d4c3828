// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.store.ColumnName;

/** A column of a table, as the database stores their names. */
public record ColumnPath(ObjectName table, String column) {

    public static ColumnPath of(ColumnName name) {
        return new ColumnPath(new ObjectName(name.schema().orElse(""), name.table()), name.column());
    }

    @Override
    public String toString() {
        return table + "." + column;
    }
}
