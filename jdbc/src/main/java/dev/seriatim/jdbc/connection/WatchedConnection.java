// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.SequenceException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the store's own that is lent to users' code. Shows afterwards whether that code can have changed the
 * session.
 *
 * <p>A change by a function or a trigger is not seen. So a failure that the state of a session can cause counts as a change,
 * too.
 *
 * <p>As thread-safe as its connection.
 */
public final class WatchedConnection implements InvocationHandler {

    private static final int NOT_SET = -1;

    /** A callable statement is a prepared statement, which is a statement. */
    private static final List<Class<?>> LEADING_BACK = List.of(
            CallableStatement.class, PreparedStatement.class, Statement.class, ResultSet.class, DatabaseMetaData.class);

    private final Connection connection;
    private final SessionChange changes;
    private final Connection watched;
    private volatile int networkTimeout = NOT_SET;
    private volatile boolean changed;

    public WatchedConnection(Connection connection, SessionChange changes) {
        this.connection = connection;
        this.changes = changes;
        watched = proxy(Connection.class, this);
    }

    /** Returns the connection to lend. */
    public Connection lent() {
        return watched;
    }

    /** Returns whether the session is as it was lent, as far as can be seen without asking the server. */
    public boolean isUnchanged() {
        try {
            return !changed && (networkTimeout == NOT_SET || networkTimeout == connection.getNetworkTimeout());
        } catch (Throwable e) { // Error too: the connection must go back, to be closed
            return false;
        }
    }

    /** Returns the connection for the store's own statements, which need no watch: the one behind a lent one, or this one. */
    public static Connection own(Connection connection) {
        WatchedConnection watched = behind(connection);
        return watched == null ? connection : watched.connection;
    }

    /** Counts a failure of the store's own work on a lent connection as one of the caller's; a refusal is none. */
    public static void ownWorkFailed(Connection connection, Throwable thrown) {
        WatchedConnection watched = behind(connection);
        if (watched != null && !(thrown instanceof SequenceException)) {
            watched.failed(thrown);
        }
    }

    private void failed(Throwable thrown) {
        changed |= !(thrown instanceof SQLException e) || changes.isSuspected(e);
    }

    private static @Nullable WatchedConnection behind(Connection connection) {
        return connection instanceof Proxy
                        && Proxy.getInvocationHandler(connection) instanceof WatchedConnection watched
                ? watched
                : null;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        switch (name) {
            case "equals" -> {
                return arguments != null && self == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(self);
            }
            case "setAutoCommit", "setSavepoint" -> {} // ends with the transaction
            case "setNetworkTimeout" -> {
                if (networkTimeout == NOT_SET) {
                    networkTimeout = connection.getNetworkTimeout();
                }
            }
            case "prepareStatement", "prepareCall" -> look(arguments);
            default -> changed |= name.startsWith("set") || name.equals("unwrap");
        }
        return wrapped(called(connection, method, arguments), Watched::new);
    }

    private void look(@Nullable Object @Nullable [] arguments) {
        if (arguments != null && arguments[0] instanceof String sql) {
            changed |= changes.isPossible(sql);
        }
    }

    private @Nullable Object called(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            failed(e.getTargetException());
            throw e.getTargetException();
        }
    }

    /** Wraps an object that leads back to its connection; returns any other. */
    public static @Nullable Object wrapped(@Nullable Object made, Function<Object, InvocationHandler> handler) {
        for (Class<?> type : LEADING_BACK) {
            if (made != null && type.isInstance(made)) {
                return proxy(type, handler.apply(made));
            }
        }
        return made;
    }

    /** Returns an object of this type whose methods the handler runs. */
    public static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(WatchedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private final class Watched implements InvocationHandler {

        private final Object made;

        Watched(Object made) {
            this.made = made;
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
                case "getConnection" -> {
                    return watched;
                }
                case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch" -> look(arguments);
                case "unwrap" -> {
                    changed = true;
                    return called(made, method, arguments);
                }
                default -> {} // tells nothing
            }
            return wrapped(called(made, method, arguments), Watched::new);
        }
    }
}
