// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.site;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Reads what an engine tells of itself. */
final class SettingsRead {

    private SettingsRead() {}

    /** Rows of a name and a value. */
    static Map<String, String> byName(Connection connection, String query) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                settings.put(row.getString(1), String.valueOf(row.getString(2)));
            }
        }
        return settings;
    }

    /** The one value of a row. */
    static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        }
    }

    static OptionalInt number(Connection connection, String query) throws SQLException {
        String text = text(connection, query);
        return text.matches("-?\\d{1,9}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }
}
