// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

public final class Settings {

    private Settings() {}

    /** Returns the first column of a query's first row; empty if there is no row or the value is null. */
    public static Optional<String> read(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
            }
        }
    }

    /** Returns a query's first column as a whole number; empty if it is none. */
    public static OptionalInt number(Connection connection, String sql) throws SQLException {
        return read(connection, sql)
                .filter(text -> text.matches("-?\\d{1,9}"))
                .map(text -> OptionalInt.of(Integer.parseInt(text)))
                .orElseGet(OptionalInt::empty);
    }

    /** Returns the rows of a query for names and values, in order. */
    public static Map<String, String> byName(Connection connection, String sql) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                settings.put(row.getString(1), String.valueOf(row.getString(2)));
            }
        }
        return settings;
    }
}
