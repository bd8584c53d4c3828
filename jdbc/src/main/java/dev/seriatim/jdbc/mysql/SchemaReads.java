// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.Skips;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads views of {@code information_schema} for one database. The server opens each table for them and waits for one that another
 * session alters; such a table is left out, and costs the others nothing. Not thread-safe.
 */
final class SchemaReads {

    private static final String TABLES = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?";
    private static final String OF_A_TABLE = " AND TABLE_NAME = ?";

    private final Connection connection;
    private final String database;
    private final long end;
    private final Skips skips;
    private final Optional<Set<String>> tables;
    private final Set<String> held = new HashSet<>();

    /** Reads one row of a result. */
    @FunctionalInterface
    interface RowReader<R> {
        R read(ResultSet row) throws SQLException;
    }

    /**
     * Prepares to read over a connection whose statements are limited already.
     *
     * @param end when to stop, by {@link System#nanoTime}
     */
    SchemaReads(Connection connection, String database, long end, Skips skips) {
        this(connection, database, Optional.empty(), end, skips);
    }

    /** The same, for some tables alone. */
    SchemaReads(Connection connection, String database, Optional<Set<String>> tables, long end, Skips skips) {
        this.tables = tables;
        this.connection = connection;
        this.database = database;
        this.end = end;
        this.skips = skips;
    }

    /**
     * Returns what is read from the rows of a query.
     *
     * @param sql a query whose condition is last, of columns of a view, with {@code TABLE_SCHEMA = ?}
     */
    <R> List<R> rows(String sql, RowReader<R> reader) throws SQLException {
        if (held.isEmpty() && tables.isEmpty()) {
            try {
                return query(connection, sql, List.of(database), reader);
            } catch (SQLException e) {
                if (connection.isClosed() || !MySqlErrors.isHeld(e)) {
                    throw e;
                }
            }
        }
        return byTable(sql, reader);
    }

    private <R> List<R> byTable(String sql, RowReader<R> reader) throws SQLException {
        List<R> rows = new ArrayList<>();
        for (String table : tables.isPresent() ? tables.get() : names(connection, database)) {
            if (held.contains(table)) {
                continue;
            }
            if (System.nanoTime() - end > 0) {
                held.add(table);
                skips.add(database + "." + table, Skips.TIME_IS_OVER);
                continue;
            }
            try {
                rows.addAll(query(connection, sql + OF_A_TABLE, List.of(database, table), reader));
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                held.add(table);
                skips.add(database + "." + table, MySqlErrors.reason(e));
            }
        }
        return rows;
    }

    /** Returns the names of a database's tables, views and sequences, without opening one. */
    static Set<String> names(Connection connection, String database) throws SQLException {
        return new LinkedHashSet<>(query(connection, TABLES, List.of(database), row -> row.getString(1)));
    }

    private static <R> List<R> query(Connection connection, String sql, List<String> values, RowReader<R> reader)
            throws SQLException {
        List<R> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setString(i + 1, values.get(i));
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(reader.read(row));
                }
            }
        }
        return rows;
    }
}
