// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Connections of the user's own data source or pool: bounded and kept by that one, and given back as they were.
 *
 * <p>Thread-safe.
 */
record BorrowedConnections(DataSource source, Dialect dialect, Runnable onClose) implements Connections {

    @Override
    public Lease forWriting(long deadline) throws SQLException {
        Lease lease = forReading(deadline);
        try {
            dialect.makeDurable(lease.connection());
            return lease;
        } catch (SQLException e) {
            lease.release(false);
            throw e;
        }
    }

    @Override
    public Lease forReading(long deadline) throws SQLException {
        Connection connection = source.getConnection();
        try {
            boolean before = connection.getAutoCommit();
            connection.setAutoCommit(true);
            return new Lease(connection, reusable -> giveBack(connection, before));
        } catch (SQLException e) {
            giveBack(connection, true);
            throw e;
        }
    }

    @Override
    public void create(long deadline) {
        // Its owner has connected to it, so it is there.
    }

    @Override
    public void close() {
        onClose.run();
    }

    private static void giveBack(Connection connection, boolean autoCommit) {
        try (connection) {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            // What was done is committed or rolled back; a pool finds out by itself that this connection is broken.
        }
    }
}
