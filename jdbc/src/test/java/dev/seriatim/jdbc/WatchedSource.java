// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * A data source for a real SQLite file that records the statements it prepares, and can lose the answer to a commit.
 */
final class WatchedSource {

    final List<String> statements = new ArrayList<>();

    @Nullable
    SQLException answerToCommit;

    @Nullable
    String product;

    private final DataSource file;

    WatchedSource(Path file) {
        this(file, new SQLiteConfig());
    }

    WatchedSource(Path file, SQLiteConfig config) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        this.file = source;
    }

    DataSource source() {
        return proxy(
                DataSource.class,
                file,
                (method, result, arguments) -> result instanceof Connection c ? watched(c) : result);
    }

    private Connection watched(Connection connection) {
        return proxy(Connection.class, connection, (method, result, arguments) -> {
            boolean committed = method.getName().equals("commit")
                    || (method.getName().equals("setAutoCommit") && Boolean.TRUE.equals(arguments[0]));
            SQLException lost = answerToCommit;
            if (committed && lost != null && statements.stream().anyMatch(s -> s.startsWith("UPDATE"))) {
                throw lost;
            }
            if (method.getName().equals("prepareStatement")) {
                statements.add(String.valueOf(arguments[0]));
            }
            return result instanceof DatabaseMetaData m ? renamed(m) : result;
        });
    }

    private DatabaseMetaData renamed(DatabaseMetaData metaData) {
        return proxy(
                DatabaseMetaData.class,
                metaData,
                (method, result, arguments) ->
                        product != null && method.getName().equals("getDatabaseProductName") ? product : result);
    }

    @FunctionalInterface
    private interface After {
        @Nullable
        Object call(Method method, @Nullable Object result, @Nullable Object[] arguments) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T target, After after) {
        return DriverProxy.of(
                type, (self, method, arguments) -> after.call(method, method.invoke(target, arguments), arguments));
    }
}
