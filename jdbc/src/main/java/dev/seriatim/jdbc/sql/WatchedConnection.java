// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the store's own that is lent to users' code. Shows afterwards whether that code can have changed the
 * session.
 *
 * <p>A change by a function or a trigger is not seen. So a failure that the state of a session can cause counts as a change,
 * too. As thread-safe as its connection.
 */
public final class WatchedConnection extends LentConnection {

    private static final int NOT_SET = -1;

    private final SessionChange changes;
    private volatile int networkTimeout = NOT_SET;
    private volatile boolean changed;

    public WatchedConnection(Connection connection, SessionChange changes) {
        super(connection);
        this.changes = changes;
    }

    /** Returns whether the session is as it was lent, as far as can be seen without asking the server. */
    public boolean isUnchanged() {
        try {
            return !changed && (networkTimeout == NOT_SET || networkTimeout == connection.getNetworkTimeout());
        } catch (Throwable e) { // Error too: the connection must go back, to be closed
            return false;
        }
    }

    /** Returns the connection behind a lent one, for the store's own statements; any other connection is returned as it is. */
    public static Connection own(Connection connection) {
        return behind(connection) instanceof WatchedConnection watched ? watched.connection : connection;
    }

    /** Returns whether callers share the transaction of a connection, so that none of them ends it. */
    public static boolean isShared(Connection connection) {
        LentConnection lender = behind(connection);
        return lender != null && !(lender instanceof WatchedConnection);
    }

    /** Treats a failure of the store's own work on a lent connection like one of the caller's, except a refusal. */
    public static void ownWorkFailed(Connection connection, Throwable thrown) {
        if (behind(connection) instanceof WatchedConnection watched && !(thrown instanceof SequenceException)) {
            watched.failed(thrown);
        }
    }

    @Override
    protected void failed(Throwable thrown) {
        changed |= !(thrown instanceof SQLException e) || changes.isSuspected(e);
    }

    @Override
    protected @Nullable Object onConnection(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        switch (name) {
            case "setAutoCommit", "setSavepoint" -> {} // ends with the transaction
            case "setNetworkTimeout" -> {
                if (networkTimeout == NOT_SET) {
                    networkTimeout = connection.getNetworkTimeout();
                }
            }
            case "prepareStatement", "prepareCall" -> look(arguments);
            default -> changed |= name.startsWith("set") || name.equals("unwrap");
        }
        return wrapped(call(connection, method, arguments));
    }

    @Override
    protected @Nullable Object onMade(Object made, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch" -> look(arguments);
            case "unwrap" -> {
                changed = true;
                return call(made, method, arguments);
            }
            default -> {} // changes nothing
        }
        return wrapped(call(made, method, arguments));
    }

    private void look(@Nullable Object @Nullable [] arguments) {
        if (arguments != null && arguments[0] instanceof String sql) {
            changed |= changes.isPossible(sql);
        }
    }
}
