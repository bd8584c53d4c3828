// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

/** A column of a table, as the database stores their names. */
public record ColumnPath(ObjectName table, String column) {

    @Override
    public String toString() {
        return table + "." + column;
    }
}
