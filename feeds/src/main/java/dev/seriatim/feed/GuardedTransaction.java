// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.jdbc.sql.LentConnection;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A connection lent to a handler, who does not end its transaction. Closing it does nothing. */
final class GuardedTransaction extends LentConnection {

    private static final String NO_END = "2D000";
    private static final String NO_CONNECTION = "08003";

    private volatile boolean ended;

    GuardedTransaction(Connection connection) {
        super(connection);
    }

    void end() {
        ended = true;
    }

    @Override
    protected @Nullable Object onConnection(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        boolean ends = switch (name) {
            case "commit", "abort", "setTransactionIsolation", "setAutoCommit" -> true;
            case "rollback" -> arguments == null; // not to a savepoint
            default -> false;
        };
        if (name.equals("close")) {
            return null;
        }
        if (name.equals("isClosed")) {
            return ended || connection.isClosed();
        }
        check();
        if (ends) {
            throw new SQLException(
                    "a handler must not call " + name + "; return to commit, or throw to roll back", NO_END);
        }
        return wrapped(call(connection, method, arguments));
    }

    @Override
    protected @Nullable Object onMade(Object made, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (!method.getName().equals("close")) {
            check();
        }
        return wrapped(call(made, method, arguments));
    }

    private void check() throws SQLException {
        if (ended) {
            throw new SQLException("the transaction of this handler has ended", NO_CONNECTION);
        }
    }

    @Override
    protected void failed(Throwable thrown) {}
}
