// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction whose queries see one state of the database; closing it restores the connection. */
@FunctionalInterface
public interface Snapshot extends AutoCloseable {

    /** Ends the transaction. If this fails, the connection may be unusable. */
    @Override
    void close() throws SQLException;

    /**
     * Begins a transaction on a connection in auto-commit mode. If it cannot be rolled back, it stays open, so that
     * the connection is not reused.
     *
     * @param settings restores the connection's settings after the transaction
     */
    static Snapshot begin(Connection connection, Snapshot settings) throws SQLException {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            try (settings) {
                throw e;
            }
        }
        return () -> {
            try (settings) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        };
    }
}
