// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The server's status in its last answer, as a driver keeps it. Read by reflection, since users bring the driver.
 */
enum DriverState {
    MARIADB("org.mariadb.jdbc.Connection", "getContext.getServerStatus"),
    MYSQL("com.mysql.cj.jdbc.JdbcConnection", "getSession.getServerSession.getStatusFlags");

    private static final int IN_TRANSACTION = 1;
    private static final int AUTO_COMMIT = 2;

    private final String type;
    private final String calls;

    DriverState(String type, String calls) {
        this.type = type;
        this.calls = calls;
    }

    /**
     * Returns whether a transaction is open, or begins with the next statement because SQL text has switched auto-commit off.
     * Returns false for other drivers, and for connections that cannot be unwrapped.
     */
    static boolean inTransaction(Connection connection) {
        for (DriverState driver : values()) {
            try {
                Class<?> type = Class.forName(driver.type, false, DriverState.class.getClassLoader());
                if (connection.isWrapperFor(type)) {
                    return driver.read(type, connection.unwrap(type));
                }
            } catch (SQLException | ReflectiveOperationException | RuntimeException | LinkageError unknown) {
                // not this driver, or another version of it
            }
        }
        return false;
    }

    private boolean read(Class<?> type, Object connection) throws ReflectiveOperationException {
        Object state = connection;
        Class<?> declared = type;
        for (String call : calls.split("[.]", -1)) {
            state = declared.getMethod(call).invoke(state);
            declared = declared.getMethod(call).getReturnType();
        }
        return state instanceof Integer status && (status & (IN_TRANSACTION | AUTO_COMMIT)) != AUTO_COMMIT;
    }
}
