// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads views of {@code information_schema} for one database. The server opens each table for them and waits for a table that
 * another session alters; such a table is left out, and costs the others nothing. Not thread-safe.
 */
final class SchemaReads {

    private static final String TABLES = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?";
    private static final String OF_A_TABLE = " AND TABLE_NAME = ?";

    private static final int UNKNOWN_COLUMN = 1054;

    private static final String INDEXES = """
            SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS \
            WHERE TABLE_SCHEMA = ? AND SEQ_IN_INDEX = 1 AND INDEX_TYPE = 'BTREE' AND SUB_PART IS NULL \
            AND COLUMN_NAME IS NOT NULL""";

    /** A view shows its columns with the defaults of their tables; to read a view runs what it calls. */
    private static final String VIEWS =
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE LIKE '%VIEW' AND TABLE_SCHEMA = ?";

    private final Connection connection;
    private final String database;
    private final Optional<Set<String>> tables;
    private final long end;
    private final Skips skips;
    private final Set<String> held = new HashSet<>();

    /**
     * Prepares to read over a connection whose statements are limited already.
     *
     * @param tables the tables to read; empty for all
     * @param end when to stop, by {@link System#nanoTime}
     */
    SchemaReads(Connection connection, String database, Optional<Set<String>> tables, long end, Skips skips) {
        this.connection = connection;
        this.database = database;
        this.tables = tables;
        this.end = end;
        this.skips = skips;
    }

    ObjectName name(String name) {
        return new ObjectName(database, name);
    }

    /** Reads a column from a row that begins with its table and its name. */
    ColumnPath column(ResultSet row) throws SQLException {
        return new ColumnPath(name(row.getString(1)), row.getString(2));
    }

    /**
     * Returns what is read from the rows of a query.
     *
     * @param sql a query whose condition is last, of columns of a view, with {@code TABLE_SCHEMA = ?}
     */
    <R> List<R> rows(String sql, Query.Row<R> reader) throws SQLException {
        if (held.isEmpty() && tables.isEmpty()) {
            try {
                return Query.rows(connection, sql, reader, database);
            } catch (SQLException e) {
                if (connection.isClosed() || !MySqlCatalog.isHeld(e)) {
                    throw e;
                }
            }
        }
        return byTable(sql, reader);
    }

    private <R> List<R> byTable(String sql, Query.Row<R> reader) throws SQLException {
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
                rows.addAll(Query.rows(connection, sql + OF_A_TABLE, reader, database, table));
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                held.add(table);
                skips.add(database + "." + table, MySqlCatalog.reason(e));
            }
        }
        return rows;
    }

    /** Returns the names of a database's tables, views and sequences, without opening one. */
    static Set<String> names(Connection connection, String database) throws SQLException {
        return new LinkedHashSet<>(Query.rows(connection, TABLES, row -> row.getString(1), database));
    }

    /** Returns the columns that an index begins with. The server does not use an index that is invisible or ignored. */
    Set<ColumnPath> indexed(boolean mariaDb) throws SQLException {
        try {
            String used = mariaDb ? " AND IGNORED = 'NO'" : " AND IS_VISIBLE = 'YES'";
            return new HashSet<>(rows(INDEXES + used, this::column));
        } catch (SQLException e) {
            if (e.getErrorCode() != UNKNOWN_COLUMN) {
                throw e;
            }
            return new HashSet<>(rows(INDEXES, this::column)); // before MariaDB 10.6
        }
    }

    /** Returns the views; none unless columns without an index are read, since a view has no index. */
    Set<String> views(boolean scans) throws SQLException {
        return scans ? new HashSet<>(rows(VIEWS, row -> row.getString(1))) : Set.of();
    }
}
