// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** How an engine shows one state of the database to several queries, and keeps no writer waiting meanwhile. */
public interface Snapshot {

    /**
     * Runs queries that all see the same state. The connection is in auto-commit mode before and after; when this fails
     * with an {@link SQLException}, it may be of no use any more.
     */
    <R> R of(Connection connection, SqlWork<R> queries) throws SQLException;

    /**
     * Begins a transaction on a connection in auto-commit mode, which ends in that mode. When it cannot be rolled back, it stays
     * open, so that the connection is not used again.
     */
    static End begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        return () -> {
            connection.rollback();
            connection.setAutoCommit(true);
        };
    }

    /** Ends a snapshot, or puts a setting back. */
    @FunctionalInterface
    interface End extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }
}
