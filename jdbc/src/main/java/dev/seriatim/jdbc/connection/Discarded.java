// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Disconnects a connection whose transaction could not be ended, so that the database rolls back. */
final class Discarded {

    @FunctionalInterface
    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    private Discarded() {}

    /**
     * Disconnects a connection and returns it to its pool; never throws and never commits. In order:
     *
     * <ol>
     *   <li>Aborts the session. The drivers of SQLite and H2 ignore that call.
     *   <li>If the session still answers, sends the database a rollback; the connection is then reusable.
     *   <li>Otherwise closes the session beneath the pool's wrapper and makes a last call fail through the wrapper,
     *       so that the pool notices and lends another connection next.
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

    /** Returns whether the step succeeded; the next step runs whatever it throws. */
    private static boolean attempt(Connection connection, Step step) {
        try {
            step.on(connection);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }
}
