// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks tables up through JDBC's metadata. */
final class TableLookups {

    private TableLookups() {}

    /** Returns those that are there. */
    static Set<ObjectName> present(Connection connection, Set<ObjectName> tables) throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        boolean databases = areDatabases(metadata);
        Set<ObjectName> present = new LinkedHashSet<>();
        for (ObjectName table : tables) {
            String schema = table.schema();
            String catalog = databases && !schema.isEmpty() ? schema : connection.getCatalog();
            String pattern = databases || schema.isEmpty() ? null : escaped(metadata, schema);
            if (isPresent(metadata, catalog, pattern, table.name())) {
                present.add(table);
            }
        }
        return present;
    }

    private static boolean isPresent(
            DatabaseMetaData metadata, @Nullable String catalog, @Nullable String schema, String table)
            throws SQLException {
        try (ResultSet row = metadata.getTables(catalog, schema, escaped(metadata, table), null)) {
            while (row.next()) {
                if (table.equals(row.getString("TABLE_NAME"))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Returns whether what qualifies a table is a database, as on MySQL. */
    static boolean areDatabases(DatabaseMetaData metadata) throws SQLException {
        return metadata.supportsCatalogsInDataManipulation() && !metadata.supportsSchemasInDataManipulation();
    }

    /** Returns a pattern that matches this name alone. */
    static String escaped(DatabaseMetaData metadata, String name) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }
}
