// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A real data source on which every commit takes effect. One commit may lose its answer and its connection, and an
 * action may run before one. Thread-safe.
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
        return DriverProxy.of(DataSource.class, (self, method, arguments) -> {
            Object result = method.invoke(source, arguments);
            return result instanceof Connection connection ? lossy(connection) : result;
        });
    }

    private Connection lossy(Connection connection) {
        return DriverProxy.of(Connection.class, (self, method, arguments) -> {
            boolean commits = commits(connection, method, arguments);
            Runnable what = commits ? beforeNext.getAndSet(null) : null;
            if (what != null) {
                what.run();
            }
            Object result = method.invoke(connection, arguments);
            if (commits && losesNext.getAndSet(false)) {
                connection.close();
                throw new SQLException("the connection is gone", "08006");
            }
            return result;
        });
    }

    private static boolean commits(Connection connection, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        // SQLite's dialect commits by returning to auto-commit mode.
        return method.getName().equals("commit")
                || (connection.getClass().getName().startsWith("org.sqlite")
                        && method.getName().equals("setAutoCommit")
                        && arguments != null
                        && Boolean.TRUE.equals(arguments[0])
                        && !connection.getAutoCommit());
    }
}
