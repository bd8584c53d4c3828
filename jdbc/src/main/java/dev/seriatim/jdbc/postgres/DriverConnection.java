// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * An unwrapped connection of PostgreSQL's own driver. Called by reflection, since users bring the driver.
 *
 * @param type the driver's interface
 * @param connection implements it
 * @param process the process that answered the login; a pooler makes one up
 */
record DriverConnection(Class<?> type, Object connection, int process) {

    private static final String TYPE = "org.postgresql.PGConnection";

    /** Returns empty for other drivers, and where what wraps the connection hides it. */
    static Optional<DriverConnection> of(Connection connection) {
        try {
            Class<?> type = type(connection);
            Object beneath = connection.unwrap(type);
            int process = (int) type.getMethod("getBackendPID").invoke(beneath);
            return Optional.of(new DriverConnection(type, beneath, process));
        } catch (SQLException | ReflectiveOperationException | LinkageError | RuntimeException hidden) {
            return Optional.empty();
        }
    }

    /** An application server may have loaded the driver apart from this library. */
    private static Class<?> type(Connection connection) throws ClassNotFoundException {
        try {
            return Class.forName(TYPE, false, DriverConnection.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return Class.forName(TYPE, false, connection.getClass().getClassLoader());
        }
    }

    /** Stops the driver from naming statements in the server; the result restores its setting. */
    Runnable nameNothing() {
        try {
            int before = (int) type.getMethod("getPrepareThreshold").invoke(connection);
            prepareThreshold(0);
            return () -> prepareThreshold(before);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e); // as accessible as the method above
        }
    }

    private void prepareThreshold(int executions) {
        try {
            type.getMethod("setPrepareThreshold", int.class).invoke(connection, executions);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
