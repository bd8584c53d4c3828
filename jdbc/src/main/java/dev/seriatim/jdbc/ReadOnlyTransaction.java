// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** One transaction that was told to be read-only, for engines whose other transactions lock what they read. */
record ReadOnlyTransaction() implements Snapshot {

    @Override
    @SuppressWarnings("try") // the end is there to be closed
    public <R> R of(Connection connection, Transactions.Work<R> queries) throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        try (End end = () -> end(connection)) {
            return queries.run(connection);
        }
    }

    private static void end(Connection connection) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.setReadOnly(false);
    }
}
