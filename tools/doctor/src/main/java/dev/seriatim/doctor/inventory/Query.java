// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs queries. */
final class Query {

    private Query() {}

    /** Reads one row. */
    @FunctionalInterface
    interface Row<R> {
        R read(ResultSet row) throws SQLException;
    }

    /** Uses one row. */
    @FunctionalInterface
    interface RowUse {
        void use(ResultSet row) throws SQLException;
    }

    /** Passes each row of a query to {@code use}. */
    static void each(Connection connection, String sql, RowUse use, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    use.use(row);
                }
            }
        }
    }

    /** Returns what {@code reader} reads from each row of a query. */
    static <R> List<R> rows(Connection connection, String sql, Row<R> reader, Object... parameters)
            throws SQLException {
        List<R> rows = new ArrayList<>();
        each(connection, sql, row -> rows.add(reader.read(row)), parameters);
        return rows;
    }

    /** Returns the first column of the first row; empty if there is no row or the value is null. */
    static Optional<String> first(Connection connection, String sql, Object... parameters) throws SQLException {
        return rows(connection, sql, row -> Optional.ofNullable(row.getString(1)), parameters).stream()
                .findFirst()
                .flatMap(value -> value);
    }

    /** Returns the rows of a query for names and values. */
    static Map<String, String> byName(Connection connection, String sql) throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        each(connection, sql, row -> values.put(row.getString(1), String.valueOf(row.getString(2))));
        return values;
    }

    /** Runs statements. */
    static void execute(Connection connection, Iterable<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns a driver's message on one line. */
    static String message(SQLException e) {
        return StoreUrl.redact(String.valueOf(e.getMessage())).replaceAll("\\s+", " ");
    }
}
