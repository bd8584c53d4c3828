// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads views of {@code information_schema} for one database of MySQL or MariaDB. The server opens each table for them and waits for a
 * table that another session alters; such a table is left out, and costs the others nothing. Not thread-safe.
 */
final class SchemaReads {

    private static final int UNKNOWN_COLUMN = 1054;

    private static final String INDEXES = """
            SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS
            WHERE TABLE_SCHEMA = ? AND SEQ_IN_INDEX = 1 AND INDEX_TYPE = 'BTREE' AND SUB_PART IS NULL
              AND COLUMN_NAME IS NOT NULL""";

    /** A view shows its columns with the defaults of their tables; to read a view runs what it calls. */
    private static final String VIEWS = """
            SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE LIKE '%VIEW' AND TABLE_SCHEMA = ?""";

    private final MySqlCatalog catalog;
    private final String database;
    private final Optional<Set<String>> tables;
    private final Set<String> held = new HashSet<>();

    /** Creates reads of these tables; of all if empty. */
    SchemaReads(MySqlCatalog catalog, String database, Optional<Set<String>> tables) {
        this.catalog = catalog;
        this.database = database;
        this.tables = tables;
    }

    ObjectName name(String name) {
        return new ObjectName(database, name);
    }

    /** Reads a column from a row that begins with its table and its name. */
    ColumnPath column(ResultSet row) throws SQLException {
        return new ColumnPath(name(row.getString(1)), row.getString(2));
    }

    /** Reads the rows of a query of columns of a view, whose condition is last and has {@code TABLE_SCHEMA = ?}. */
    <R> List<R> rows(String sql, EngineCatalog.Row<R> reader) throws SQLException {
        if (held.isEmpty() && tables.isEmpty()) {
            try {
                return catalog.rows(sql, reader, database);
            } catch (SQLException e) {
                if (catalog.connection.isClosed() || !MySqlCatalog.isHeld(e)) {
                    throw e;
                }
            }
        }
        List<R> rows = new ArrayList<>();
        for (String table : tables.isPresent() ? tables.get() : catalog.names(database)) {
            if (!held.contains(table)) {
                addRows(sql, table, reader, rows);
            }
        }
        return rows;
    }

    private <R> void addRows(String sql, String table, EngineCatalog.Row<R> reader, List<R> rows) throws SQLException {
        String why = Skips.TIME_IS_OVER;
        if (!catalog.isOver()) {
            try {
                rows.addAll(catalog.rows(sql + " AND TABLE_NAME = ?", reader, database, table));
                return;
            } catch (SQLException e) {
                if (catalog.connection.isClosed()) {
                    throw e;
                }
                why = catalog.reason(e);
            }
        }
        held.add(table);
        catalog.skips.add(database + "." + table, why);
    }

    /** Returns the columns that an index begins with. The server does not use an index that is invisible or ignored. */
    Set<ColumnPath> indexed() throws SQLException {
        try {
            String used = catalog.mariaDb ? " AND IGNORED = 'NO'" : " AND IS_VISIBLE = 'YES'";
            return new HashSet<>(rows(INDEXES + used, this::column));
        } catch (SQLException e) {
            if (e.getErrorCode() != UNKNOWN_COLUMN) {
                throw e;
            }
            return new HashSet<>(rows(INDEXES, this::column)); // before MariaDB 10.6
        }
    }

    /** Returns the views; none unless columns without an index are read, since a view has no index. */
    Set<String> views() throws SQLException {
        return catalog.limits.scans() ? new HashSet<>(rows(VIEWS, row -> row.getString(1))) : Set.of();
    }
}
