// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A real data source whose commits all happen; one may lose its answer, and its connection, and something may be done before
 * one. Thread-safe.
 */
final class LossyCommits {

    private final AtomicBoolean losesNext = new AtomicBoolean();
    private final AtomicReference<@Nullable Runnable> beforeNext = new AtomicReference<>();

    void loseOne() {
        losesNext.set(true);
    }

    void beforeNext(Runnable what) {
        beforeNext.set(what);
    }

    DataSource over(DataSource source) {
        return proxy(DataSource.class, (self, method, arguments) -> {
            Object result = call(method, source, arguments);
            return result instanceof Connection connection ? lossy(connection) : result;
        });
    }

    private Connection lossy(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            boolean commits = commits(connection, method, arguments);
            Runnable what = commits ? beforeNext.getAndSet(null) : null;
            if (what != null) {
                what.run();
            }
            Object result = call(method, connection, arguments);
            if (commits && losesNext.getAndSet(false)) {
                connection.close();
                throw new SQLException("the connection is gone", "08006");
            }
            return result;
        });
    }

    private static boolean commits(Connection connection, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        // SQLite's dialect commits by going back to auto-commit mode.
        return method.getName().equals("commit")
                || (connection.getClass().getName().startsWith("org.sqlite")
                        && method.getName().equals("setAutoCommit")
                        && arguments != null
                        && Boolean.TRUE.equals(arguments[0])
                        && !connection.getAutoCommit());
    }

    private static @Nullable Object call(Method method, Object target, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(LossyCommits.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
