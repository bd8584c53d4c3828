// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** What becomes of a connection whose transaction could not be ended: it is cut off, so that the database rolls back. */
final class Discarded {

    @FunctionalInterface
    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    private Discarded() {}

    /**
     * Cuts a connection off, and gives it back; never throws, and never commits. In order:
     *
     * <ol>
     *   <li>Its session is aborted. The drivers of SQLite and H2 leave that call empty, though.
     *   <li>Where it still answers, the database itself is told to roll back; it can then be used again.
     *   <li>Otherwise the session is closed below the pool's wrapper, and a last call fails where the pool sees it, so that it
     *       lends another one next.
     * </ol>
     */
    static void discard(Connection connection, boolean automatic) {
        attempt(connection, c -> c.abort(Runnable::run));
        if (attempt(connection, Discarded::rollBack)) {
            attempt(connection, c -> c.setAutoCommit(automatic));
        } else {
            attempt(connection, Discarded::closeSession);
            attempt(connection, Connection::rollback);
        }
        attempt(connection, Connection::close);
    }

    private static void rollBack(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        }
    }

    private static void closeSession(Connection connection) throws SQLException {
        if (connection.isWrapperFor(Connection.class)) {
            connection.unwrap(Connection.class).close();
        }
    }

    /** Whether it went well; whatever it throws, the next step is tried. */
    private static boolean attempt(Connection connection, Step step) {
        try {
            step.on(connection);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }
}
