// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.conservation.RandomChoices;
import dev.seriatim.jdbc.DriverProxy;
import dev.seriatim.servers.Database;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A real data source whose connections break at random: when requested, before or after a call, at a commit that did
 * or did not take effect, at a rollback. A broken connection is closed, so the database rolls back its open
 * transaction. Keeps the sound ones. Thread-safe.
 */
final class FaultyConnections implements AutoCloseable {

    private final Database database;
    private final BlockingDeque<Connection> idle = new LinkedBlockingDeque<>();
    private volatile RandomChoices chance;

    FaultyConnections(Database database) {
        this.database = database;
        chance = new RandomChoices(0);
        chance.calm();
    }

    /** Sets what decides which calls fail from now on. */
    void failBy(RandomChoices next) {
        chance = next;
    }

    DataSource source() {
        DataSource sound = database.dataSource();
        return DriverProxy.of(
                DataSource.class,
                (self, method, arguments) -> method.getName().equals("getConnection")
                        ? DriverProxy.of(Connection.class, new Lent(connection()))
                        : method.invoke(sound, arguments));
    }

    private Connection connection() throws SQLException {
        if (chance.strikes() && chance.oneIn(3)) {
            throw lost("no connection can be had");
        }
        Connection kept = idle.pollLast();
        return kept == null ? database.connect() : kept;
    }

    private static SQLException lost(String what) {
        return new SQLException(what, "08006");
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : idle) {
            connection.close();
        }
    }

    /** One connection, until it is closed. Used by one thread at a time. */
    private final class Lent implements InvocationHandler {
        private final Connection connection;
        private boolean over;

        Lent(Connection connection) {
            this.connection = connection;
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            switch (method.getName()) {
                case "close" -> {
                    giveBack();
                    return null;
                }
                case "isClosed" -> {
                    return over || connection.isClosed();
                }
                case "commit", "rollback", "setSavepoint", "prepareStatement", "createStatement", "setAutoCommit" -> {
                    return failing(self, method, connection, arguments);
                }
                case "equals" -> {
                    return self == (arguments == null ? null : arguments[0]);
                }
                default -> {
                    checkOpen();
                    return method.invoke(connection, arguments);
                }
            }
        }

        private @Nullable Object failing(
                Object self, Method method, Object target, @Nullable Object @Nullable [] arguments) throws Throwable {
            checkOpen();
            int when = chance.strikes() ? chance.pick(6) : -1;
            switch (when) {
                case 0 -> breakDown("the connection broke before " + method.getName());
                case 1 -> {
                    if (method.getName().startsWith("prepare")) {
                        throw new NoClassDefFoundError("org/driver/Some");
                    }
                }
                case 2, 3 -> chance.pause(5_000);
                default -> {}
            }
            Object result = method.invoke(target, arguments);
            if (when == 4) {
                breakDown("the connection broke before the answer to " + method.getName());
            }
            return result instanceof Statement statement ? failing(self, statement) : result;
        }

        private Statement failing(Object self, Statement statement) {
            Class<? extends Statement> type = statement instanceof CallableStatement
                    ? CallableStatement.class
                    : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
            return DriverProxy.of(type, (statementSelf, method, arguments) -> {
                if (method.getName().equals("getConnection")) {
                    return self;
                }
                return method.getName().startsWith("execute")
                        ? failing(self, method, statement, arguments)
                        : method.invoke(statement, arguments);
            });
        }

        private void checkOpen() throws SQLException {
            if (over) {
                throw new SQLException("this connection has been given back", "08003");
            }
        }

        private void breakDown(String why) throws SQLException {
            connection.close();
            throw lost(why);
        }

        private void giveBack() throws SQLException {
            if (over) {
                return;
            }
            over = true;
            if (connection.isClosed()) {
                return;
            }
            try {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
                idle.addLast(connection);
            } catch (SQLException e) {
                connection.close();
            }
        }
    }
}
