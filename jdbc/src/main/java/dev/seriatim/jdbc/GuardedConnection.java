// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceState;
import dev.seriatim.SharedTransaction.Drawn;
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
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection as it is lent to those who share its transaction: it does not end the transaction, and is of no use when that
 * has ended. Closing it does nothing, so that it can be used where connections are closed after use. What goes back to a
 * savepoint takes the numbers back that were drawn since.
 *
 * <p>It looks at what its statements are told and at what they throw: what cannot end a transaction need not be suspected of it.
 *
 * <p>As thread-safe as the connection under it.
 */
final class GuardedConnection implements InvocationHandler {

    private static final String NO_END = "2D000";
    private static final String NO_CONNECTION = "08003";
    private static final String NO_SAVEPOINT = "3B001";

    private final Dialect dialect;
    private final Connection connection;
    private final Connection guarded;
    private final Map<Savepoint, Drawn.Place> savepoints = new HashMap<>();
    private final Map<String, Savepoint> named = new HashMap<>();
    private @Nullable Drawn drawn;
    private SequenceState atTurn;
    private boolean namesAreSeen = true;
    private volatile boolean ended;
    private volatile boolean onlyPlain = true;
    private volatile @Nullable SQLException failed;
    private volatile @Nullable SQLException brokenBy;

    GuardedConnection(Dialect dialect, Connection connection, SequenceState counter) {
        this.dialect = dialect;
        this.connection = connection;
        atTurn = counter;
        guarded = proxy(Connection.class, this);
    }

    /** The connection, for one turn. */
    Connection lentTo(Drawn turn) {
        if (drawn != turn) {
            drawn = turn;
            atTurn = turn.counter();
            savepoints.clear();
            named.clear();
            namesAreSeen = true;
        }
        return guarded;
    }

    void end() {
        ended = true;
    }

    /** Whether nothing was done on it but plain statements, none of which can commit; as far as anyone can see. */
    boolean onlyPlain() {
        return onlyPlain;
    }

    /** The exception of the last statement that failed, whether or not its unit let it through. */
    @Nullable
    SQLException failed() {
        return failed;
    }

    /** The exception of a statement that has rolled the transaction back by itself, as far as that can be asked. */
    @Nullable
    SQLException brokenBy() {
        return brokenBy;
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
            case "toString" -> {
                return "shared " + connection;
            }
            case "close" -> {
                return null;
            }
            case "isClosed" -> {
                return ended || connection.isClosed();
            }
            default -> {
                check(method, arguments);
                return withTheNumbers(method, arguments, call(connection, method, arguments));
            }
        }
    }

    private void check(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        checkNotEnded();
        boolean ends = switch (method.getName()) {
            case "commit", "abort", "setTransactionIsolation" -> true;
            case "rollback" -> arguments == null; // not to a savepoint
            case "setAutoCommit" -> arguments != null && Boolean.TRUE.equals(arguments[0]);
            default -> false;
        };
        if (ends) {
            throw new SQLException(
                    "a unit of work shares its transaction with others, and must not call " + method.getName()
                            + "; return to have it committed, or throw to have it undone",
                    NO_END);
        }
        switch (method.getName()) {
            case "prepareStatement", "prepareCall" -> told(arguments, true);
            case "rollback", "releaseSavepoint" -> {
                if (arguments != null && isGone(arguments[0])) {
                    throw new SQLException(
                            "this savepoint was not made in this unit of work, or is gone: the unit has gone back beyond it, made another of"
                                    + " its name, or run a statement about savepoints; go back to one that is there",
                            NO_SAVEPOINT);
                }
            }
            case "unwrap" -> onlyPlain = false; // what is done out there is not seen
            default -> {}
        }
    }

    private boolean isGone(@Nullable Object savepoint) {
        Drawn.Place place = savepoints.get(savepoint);
        return place == null || place.passed();
    }

    private void checkNotEnded() throws SQLException {
        if (ended) {
            throw new SQLException(
                    "the transaction of this unit of work has ended; use its connection inside the unit only",
                    NO_CONNECTION);
        }
    }

    /** Keeps the numbers in step with savepoints, and an eye on what statements are told. */
    private @Nullable Object withTheNumbers(
            Method method, @Nullable Object @Nullable [] arguments, @Nullable Object result) {
        boolean hasName = arguments != null && arguments[0] instanceof String;
        if (result instanceof Savepoint savepoint && drawn != null && (namesAreSeen || !hasName)) {
            savepoints.put(savepoint, drawn.here());
            if (arguments != null && arguments[0] instanceof String name) {
                // The database goes back to the newer one, whichever is meant; case makes no difference to some.
                Savepoint replaced = named.put(name.toLowerCase(Locale.ROOT), savepoint);
                if (replaced != null) {
                    savepoints.remove(replaced);
                }
            }
        } else if (method.getName().equals("rollback") && arguments != null) {
            Drawn.Place place = savepoints.get(arguments[0]);
            if (place != null) {
                place.back();
            }
        }
        return watched(result);
    }

    /** What leads back to the connection is watched as it is. */
    private @Nullable Object watched(@Nullable Object made) {
        if (made instanceof CallableStatement s) {
            return proxy(CallableStatement.class, new Watched(s));
        }
        if (made instanceof PreparedStatement s) {
            return proxy(PreparedStatement.class, new Watched(s));
        }
        if (made instanceof Statement s) {
            return proxy(Statement.class, new Watched(s));
        }
        if (made instanceof ResultSet r) {
            return proxy(ResultSet.class, new Watched(r));
        }
        return made instanceof DatabaseMetaData d ? proxy(DatabaseMetaData.class, new Watched(d)) : made;
    }

    /** A statement is told what to do by its first argument, when that is a text. */
    private void told(@Nullable Object @Nullable [] arguments, boolean forLater) throws SQLException {
        if (arguments == null || !(arguments[0] instanceof String sql)) {
            return;
        }
        StatementKind kind = StatementKind.of(sql);
        onlyPlain &= kind == StatementKind.PLAIN;
        if (kind != StatementKind.PLAIN && StatementKind.isAboutSavepoints(sql)) {
            // From then on a name may lead to another savepoint than the one that was made under it.
            savepoints.keySet().removeAll(named.values());
            named.clear();
            namesAreSeen &= !forLater;
        }
        boolean hasDrawn = drawn != null && !drawn.counter().equals(atTurn);
        if (kind == StatementKind.BACK_TO_SAVEPOINT && (hasDrawn || forLater)) {
            throw new SQLException(
                    "a unit of work that has drawn a number must not go back by a statement, since the number would"
                            + " not come back with its row; go back by Turn.mark and undo, or by Connection.setSavepoint"
                            + " and rollback",
                    NO_END);
        }
    }

    private @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof SQLException thrown) {
                failed = thrown;
                if (!ended && dialect.begunAnew(connection)) {
                    brokenBy = thrown;
                }
            }
            throw cause;
        }
    }

    /** What the connection has made: it leads back to the guarded connection, and is looked at as that is. */
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
                    return guarded;
                }
                case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "executeBatch", "addBatch" -> {
                    checkNotEnded();
                    told(arguments, method.getName().equals("addBatch"));
                    Object result = call(made, method, arguments);
                    if (!onlyPlain) {
                        dialect.begunAnew(connection);
                    }
                    return watched(result);
                }
                case "unwrap" -> onlyPlain = false;
                default -> {}
            }
            return watched(call(made, method, arguments));
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(GuardedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
