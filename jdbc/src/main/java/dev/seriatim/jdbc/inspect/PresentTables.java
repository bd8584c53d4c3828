// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks up which tables are there, with one query for each schema. Stateless. */
public final class PresentTables {

    private PresentTables() {}

    /** Returns those of the tables that are there; of all kinds but sequences and indexes. */
    public static Set<ObjectName> among(Set<ObjectName> asked, Connection connection) throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        boolean databases =
                metadata.supportsCatalogsInDataManipulation() && !metadata.supportsSchemasInDataManipulation();
        Set<String> schemas = new LinkedHashSet<>();
        asked.forEach(table -> schemas.add(table.schema()));
        Set<ObjectName> present = new HashSet<>();
        for (String schema : schemas) {
            String catalog = databases && !schema.isEmpty() ? schema : connection.getCatalog();
            String pattern = databases || schema.isEmpty() ? null : escaped(schema, metadata.getSearchStringEscape());
            try (ResultSet row = metadata.getTables(catalog, pattern, "%", null)) {
                while (row.next()) {
                    ObjectName table = new ObjectName(schema, row.getString("TABLE_NAME"));
                    if (asked.contains(table) && isTable(row.getString("TABLE_TYPE"))) {
                        present.add(table);
                    }
                }
            }
        }
        return present;
    }

    private static boolean isTable(@Nullable String type) {
        return type != null && type.contains("TABLE");
    }

    private static String escaped(String name, String escape) {
        return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }
}
