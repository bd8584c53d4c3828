// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A pool over a real data source whose connections have their owner's settings, applied once. It resets nothing, and
 * records what borrowers have changed and not restored. Thread-safe.
 */
final class LentConnections implements AutoCloseable {

    /** Applies the settings to a new connection. */
    @FunctionalInterface
    interface Settings {
        void on(Connection connection) throws SQLException;
    }

    private record State(
            boolean automatic, int level, boolean readOnly, String schema, String catalog, String networkTimeout) {

        /** Reads the state, and ends what reading it may have begun. */
        static State of(Connection connection) throws SQLException {
            State state = new State(
                    connection.getAutoCommit(),
                    connection.getTransactionIsolation(),
                    connection.isReadOnly(),
                    String.valueOf(connection.getSchema()),
                    String.valueOf(connection.getCatalog()),
                    networkTimeout(connection));
            if (!state.automatic) {
                connection.rollback();
            }
            return state;
        }

        private static String networkTimeout(Connection connection) {
            try {
                return String.valueOf(connection.getNetworkTimeout());
            } catch (SQLException | RuntimeException e) {
                return "none";
            }
        }
    }

    private final DataSource real;
    private final Settings settings;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final List<String> changes = new CopyOnWriteArrayList<>();
    private final AtomicInteger out = new AtomicInteger();

    LentConnections(DataSource real, Settings settings) {
        this.real = real;
        this.settings = settings;
    }

    DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                LentConnections.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> method.getName().equals("getConnection")
                        ? lend()
                        : passedOn(() -> method.invoke(real, arguments)));
    }

    /** Returns how returned connections differed from when they were lent. */
    List<String> changes() {
        return List.copyOf(changes);
    }

    /** Returns connections of the same kind that see only committed data. */
    LentConnections seeingCommitted() {
        return new LentConnections(real, connection -> {
            settings.on(connection);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        });
    }

    /** Returns how many are lent, after giving background threads time to return theirs. */
    int out() throws InterruptedException {
        for (int i = 0; i < 400 && out.get() > 0; i++) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return out.get();
    }

    private Connection lend() throws SQLException {
        Connection connection = idle.pollFirst();
        if (connection == null) {
            connection = real.getConnection();
            settings.on(connection);
        }
        State before = State.of(connection);
        out.incrementAndGet();
        Connection lent = connection;
        AtomicBoolean back = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                LentConnections.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        if (!back.getAndSet(true)) {
                            takeBack(lent, before);
                        }
                        return null;
                    }
                    if (method.getName().equals("unwrap")) {
                        return lent;
                    }
                    if (back.get() && method.getDeclaringClass() != Object.class) {
                        if (method.getName().equals("isClosed")) {
                            return true;
                        }
                        throw new SQLException("has been given back", "08003");
                    }
                    return passedOn(() -> method.invoke(lent, arguments));
                });
    }

    private void takeBack(Connection connection, State before) {
        try {
            if (connection.isClosed()) {
                return;
            }
            if (!connection.getAutoCommit() && tellsTransactions(connection) && Dialects.inTransaction(connection)) {
                changes.add("a transaction is open");
                connection.rollback();
            }
            State after = State.of(connection);
            if (!after.equals(before)) {
                changes.add("lent as " + before + ", came back as " + after);
                connection.close();
            } else {
                idle.addFirst(connection);
            }
        } catch (SQLException | RuntimeException e) {
            changes.add("came back, and answers with " + e);
        } finally {
            out.decrementAndGet();
        }
    }

    private static boolean tellsTransactions(Connection connection) throws SQLException {
        return !connection.getMetaData().getDatabaseProductName().equals("H2")
                || connection.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED;
    }

    @FunctionalInterface
    private interface Reflective {
        Object call() throws ReflectiveOperationException;
    }

    private static Object passedOn(Reflective call) throws Throwable {
        try {
            return call.call();
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : idle) {
            connection.close();
        }
    }
}
