// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection as it is lent to those who share its transaction: it does not end the transaction, and is of no use when that
 * has ended. Closing it does nothing, so that it can be used where connections are closed after use.
 *
 * <p>As thread-safe as the connection under it.
 */
final class GuardedConnection implements InvocationHandler {

    private static final String NO_END = "2D000";
    private static final String NO_CONNECTION = "08003";

    private final Connection connection;
    private final Connection guarded;
    private volatile boolean ended;

    GuardedConnection(Connection connection) {
        this.connection = connection;
        guarded = (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    Connection connection() {
        return guarded;
    }

    void end() {
        ended = true;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "equals" -> {
                return arguments != null && self == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(self);
            }
            case "toString" -> {
                return "shared " + connection;
            }
            case "close" -> {
                return null;
            }
            case "isClosed" -> {
                return ended || connection.isClosed();
            }
            default -> {
                check(method, arguments);
                return call(method, arguments);
            }
        }
    }

    private void check(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (ended) {
            throw new SQLException(
                    "the transaction of this unit of work has ended; use its connection inside the unit only",
                    NO_CONNECTION);
        }
        boolean ends = switch (method.getName()) {
            case "commit", "abort", "setTransactionIsolation" -> true;
            case "rollback" -> arguments == null; // not to a savepoint
            case "setAutoCommit" -> arguments != null && Boolean.TRUE.equals(arguments[0]);
            default -> false;
        };
        if (ends) {
            throw new SQLException(
                    "a unit of work shares its transaction with others, and must not call " + method.getName()
                            + "; return to have it committed, or throw to have it undone",
                    NO_END);
        }
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
