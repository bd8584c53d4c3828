// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

/**
 * The name of a table or sequence, as the database stores it. Its schema, or database, is empty if the engine has none.
 */
public record ObjectName(String schema, String name) {

    /** Returns the name for display; with its schema unless that is empty. */
    @Override
    public String toString() {
        return schema.isEmpty() ? name : schema + "." + name;
    }
}
