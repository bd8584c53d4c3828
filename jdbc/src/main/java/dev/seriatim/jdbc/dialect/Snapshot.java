// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** Shows several queries the same state of the database without blocking writers. */
public interface Snapshot {

    /**
     * Runs queries that all see the same state. The connection is in auto-commit mode before and after; if this fails
     * with an {@link SQLException}, the connection may be unusable.
     */
    <R> R of(Connection connection, SqlWork<R> queries) throws SQLException;

    /**
     * Begins a transaction on a connection in auto-commit mode; ending it restores that mode. If it cannot be rolled
     * back, it stays open, so that the connection is not reused.
     */
    static End begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        return () -> {
            connection.rollback();
            connection.setAutoCommit(true);
        };
    }

    /** Ends a snapshot, or restores a setting. */
    @FunctionalInterface
    interface End extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }
}
