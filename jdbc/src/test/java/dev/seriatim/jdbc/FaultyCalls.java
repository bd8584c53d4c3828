// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A real data source of which one call fails, counted from 1: a call to it, or to any object that it created. It also
 * counts the lent connections. Thread-safe.
 */
final class FaultyCalls {

    /** How a call fails. */
    enum Kind {
        /** The connection breaks before the call reaches the database, and stays broken. */
        LOST_BEFORE,
        /** The connection breaks before the answer arrives, and stays broken. */
        LOST_AFTER,
        /** The driver throws an SQLException. */
        SQL_BEFORE,
        /** The pool's wrapper throws because a driver's class cannot be loaded. */
        ERROR_BEFORE,
        /** The driver fails because of a bug. */
        RUNTIME_AFTER,
        /** No memory is left. */
        ERROR_AFTER,
        /** No class of the driver can be loaded any more: every other call on the connection throws too. */
        ERRORS_FROM_NOW
    }

    /** These calls work on a broken connection. */
    private static final Set<String> OF_BROKEN_ONES = Set.of("close", "isClosed", "abort");

    private final DataSource real;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean statementsToo;
    private volatile int failing;
    private volatile Kind kind = Kind.SQL_BEFORE;
    private volatile String failed = "";

    FaultyCalls(DataSource real) {
        this.real = real;
    }

    /** Resets the count and makes one call fail; none for 0. */
    void failAt(int call, Kind how) {
        kind = how;
        failed = "";
        failing = call;
        calls.set(0);
    }

    /**
     * Selects whether calls to statements and results also count, or only those to connections, which open and close
     * them.
     */
    void count(boolean ofStatementsToo) {
        statementsToo = ofStatementsToo;
    }

    /** Returns the number of calls since then. */
    int calls() {
        return calls.get();
    }

    /** Returns the name of the failed call; empty if none has failed. */
    String failed() {
        return failed;
    }

    /** Returns the number of connections that their borrowers have not closed. */
    int open() {
        return open.get();
    }

    DataSource source() {
        return proxy(DataSource.class, real, null);
    }

    /** A lent connection. */
    private final class Session {
        private final Connection connection;
        private boolean broken;
        private boolean unloaded;
        private boolean closed;

        Session(Connection connection) {
            this.connection = connection;
        }

        synchronized void closed() {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
            }
        }

        void breakOff() throws SQLException {
            broken = true;
            connection.close();
        }
    }

    private <T> T proxy(Class<T> type, Object target, @Nullable Session session) {
        return DriverProxy.of(type, (self, method, arguments) -> switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "faulty " + target;
            default -> called(target, session, method, arguments);
        });
    }

    private @Nullable Object called(
            Object target, @Nullable Session session, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        boolean closes = target instanceof Connection && name.equals("close");
        if (closes && session != null) {
            session.closed();
        }
        if (session != null && session.broken && !OF_BROKEN_ONES.contains(name)) {
            throw new SQLException("the connection is gone", "08006");
        }
        if (session != null && session.unloaded && !closes) {
            throw new NoClassDefFoundError("for/the/Test");
        }
        if (!counts(target, name) || calls.incrementAndGet() != failing) {
            return wrapped(method.invoke(target, arguments), session);
        }
        failed = target.getClass().getSimpleName() + "." + name;
        if (closes) {
            method.invoke(target, arguments); // it is closed nevertheless
            throw failure(kind);
        }
        switch (kind) {
            case LOST_BEFORE -> {
                if (session != null) {
                    session.breakOff();
                }
            }
            case LOST_AFTER -> {
                method.invoke(target, arguments);
                if (session != null) {
                    session.breakOff();
                }
            }
            case RUNTIME_AFTER, ERROR_AFTER -> {
                Object result = method.invoke(target, arguments);
                if (result instanceof Connection c) {
                    c.close(); // not lent
                }
            }
            case ERRORS_FROM_NOW -> {
                if (session != null) {
                    session.unloaded = true;
                }
            }
            case SQL_BEFORE, ERROR_BEFORE -> {}
        }
        throw failure(kind);
    }

    /** If one of a statement's parameters or a row's columns fails, so do the others. */
    private boolean counts(Object target, String name) {
        return target instanceof Connection
                || target instanceof DataSource
                || (statementsToo
                        && !(target instanceof Statement && name.startsWith("set"))
                        && !(target instanceof ResultSet && name.startsWith("get")));
    }

    private static Throwable failure(Kind kind) {
        return switch (kind) {
            case LOST_BEFORE, LOST_AFTER -> new SQLException("the connection is gone", "08006");
            case SQL_BEFORE -> new SQLException("as this test wants it");
            case ERROR_BEFORE, ERRORS_FROM_NOW -> new NoClassDefFoundError("for/the/Test");
            case RUNTIME_AFTER -> new IllegalStateException("as this test wants it");
            case ERROR_AFTER -> new OutOfMemoryError("as this test wants it");
        };
    }

    private @Nullable Object wrapped(@Nullable Object result, @Nullable Session session) {
        if (result instanceof Connection c && session == null) {
            open.incrementAndGet();
            return proxy(Connection.class, c, new Session(c));
        }
        if (result instanceof PreparedStatement s) {
            return proxy(PreparedStatement.class, s, session);
        }
        if (result instanceof Statement s) {
            return proxy(Statement.class, s, session);
        }
        if (result instanceof ResultSet r) {
            return proxy(ResultSet.class, r, session);
        }
        return result instanceof DatabaseMetaData m ? proxy(DatabaseMetaData.class, m, session) : result;
    }
}
