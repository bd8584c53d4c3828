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

/** A table of numbers stored in the transactions that drew them. */
record StoredNumbers(String table) {

    private static final int ENDED_BY_ANOTHER_NODE = 1213;

    /**
     * The counter and the rows in one committed state.
     *
     * @param next the next value to be drawn
     * @param rows the numbers stored
     * @param laidOut the numbers in the sequence's pool
     */
    record State(long next, NavigableSet<Long> rows, NavigableSet<Long> laidOut) {}

    void create(Database database) throws SQLException {
        database.execute("CREATE TABLE " + table + " (n BIGINT PRIMARY KEY)");
    }

    void insert(Connection transaction, long value) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
            insert.setLong(1, value);
            insert.executeUpdate();
        }
    }

    /**
     * Draws, which blocks all other draws, then reads the rows and rolls back. Retries if a commit on another node of
     * a cluster, which the draw does not block, has ended this transaction.
     */
    State state(Database database, JdbcStore store, String sequence) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return stateWhileNobodyDraws(database, store, sequence);
            } catch (SQLException e) {
                if (e.getErrorCode() != ENDED_BY_ANOTHER_NODE || attempt == 5) {
                    throw e;
                }
            }
        }
    }

    private State stateWhileNobodyDraws(Database database, JdbcStore store, String sequence) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            long next = store.reserve(connection, sequence, 1).block().first();
            State state = new State(next, numbers(connection, rows()), new TreeSet<>());
            connection.rollback();
            return state;
        }
    }

    /** Reads counter, pool and rows in one snapshot, because claims, unlike draws, do not wait. */
    State stateWithPool(Database database, String sequence) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            String of = " WHERE name = '" + sequence + "'";
            NavigableSet<Long> next = numbers(connection, "SELECT next_value FROM seriatim_sequence" + of);
            NavigableSet<Long> laidOut =
                    numbers(connection, "SELECT value FROM seriatim_sequence_pool" + of + " AND place > 0");
            return new State(next.first(), numbers(connection, rows()), laidOut);
        }
    }

    private String rows() {
        return "SELECT n FROM " + table;
    }

    private static NavigableSet<Long> numbers(Connection connection, String sql) throws SQLException {
        NavigableSet<Long> numbers = new TreeSet<>();
        try (PreparedStatement query = connection.prepareStatement(sql);
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
        }
        return numbers;
    }
}
