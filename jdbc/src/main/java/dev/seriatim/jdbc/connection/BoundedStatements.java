// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.jdbc.dialect.LockWait;
import dev.seriatim.jdbc.dialect.SqlWork;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose prepared statements limit their wait for locks. It otherwise behaves like the connection it
 * wraps.
 *
 * <p>As thread-safe as its connection.
 */
record BoundedStatements(Connection connection, LockWait limit) implements InvocationHandler {

    /** Returns work that runs on such a connection. */
    static <R> SqlWork<R> within(LockWait wait, SqlWork<R> work) {
        return wait == LockWait.UNBOUNDED ? work : connection -> work.run(of(connection, wait));
    }

    private static Connection of(Connection connection, LockWait wait) {
        return (Connection) Proxy.newProxyInstance(
                BoundedStatements.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new BoundedStatements(connection, wait));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        boolean prepares = false;
        if (method.getName().equals("prepareStatement") && arguments != null && arguments[0] instanceof String sql) {
            prepares = true;
            arguments[0] = limit.bounded(sql);
        }
        try {
            Object result = method.invoke(connection, arguments);
            if (prepares && result instanceof PreparedStatement statement) {
                limit.bound(statement);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
