// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The driver's view of its connection: its URL, and the server's status in the last answer. The latter is read by
 * reflection, since users bring the driver.
 */
enum DriverState {
    MARIADB("org.mariadb.jdbc.Connection", "getContext.getServerStatus"),
    MYSQL("com.mysql.cj.jdbc.JdbcConnection", "getSession.getServerSession.getStatusFlags");

    /** MariaDB's driver takes names in any case. */
    private static final Pattern REPLAYS = Pattern.compile("(?i)[?&]transactionReplay(?:=(?:true|1)?)?(?:&|$)");

    private static final int IN_TRANSACTION = 1;
    private static final int AUTO_COMMIT = 2;

    private final String type;
    private final String calls;

    DriverState(String type, String calls) {
        this.type = type;
        this.calls = calls;
    }

    /** Returns whether a transaction is open, or SQL text has switched auto-commit off; false if that is unknown. */
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

    /** Returns the connection's URL; refuses one with which MariaDB's driver repeats transactions. */
    static String checkRepeatsNothing(Connection connection) throws SQLException {
        String url = Optional.ofNullable(connection.getMetaData().getURL()).orElse("");
        if (REPLAYS.matcher(url).find()) {
            throw new Misconfigured("""
                    %s: with transactionReplay, the driver repeats a transaction \
                    on a new connection with its old numbers, which others may have \
                    drawn since; remove that option""".formatted(StoreUrl.redacted(url)));
        }
        return url;
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
