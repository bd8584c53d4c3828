// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.NavigableSet;
import java.util.TreeSet;

/** A table of numbers that were stored in the transactions that drew them. */
record Ledger(String table) {

    /**
     * The counter and the rows in one committed state.
     *
     * @param next the value that would be drawn next
     * @param rows the numbers stored
     */
    record State(long next, NavigableSet<Long> rows) {}

    void create(Database database) throws SQLException {
        database.execute("CREATE TABLE " + table + " (n BIGINT PRIMARY KEY)");
    }

    void insert(Connection transaction, long value) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
            insert.setLong(1, value);
            insert.executeUpdate();
        }
    }

    /** Draws, which keeps all others from drawing, looks at the rows, and rolls back. */
    State state(Database database, JdbcStore store, String sequence) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            long next = store.reserve(connection, sequence, 1).block().first();
            State state = new State(next, rows(connection));
            connection.rollback();
            return state;
        }
    }

    private NavigableSet<Long> rows(Connection connection) throws SQLException {
        NavigableSet<Long> rows = new TreeSet<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT n FROM " + table);
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                rows.add(row.getLong(1));
            }
        }
        return rows;
    }
}
