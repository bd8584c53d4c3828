// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.LentConnection;
import dev.seriatim.store.SharedTransaction.Drawn;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection lent to callers who share its transaction. It does not end the transaction, and is unusable afterwards.
 * Closing it does nothing, so it suits code that closes its connections. A rollback to a savepoint returns the numbers
 * drawn since.
 *
 * <p>It inspects the SQL of its statements and their exceptions: only a statement that can end a transaction is suspected
 * of having done so. As thread-safe as the connection it wraps.
 */
final class GuardedConnection extends LentConnection {

    private static final String NO_END = "2D000";
    private static final String NO_CONNECTION = "08003";
    private static final String NO_SAVEPOINT = "3B001";
    private static final String ENDED =
            "the transaction of this unit of work has ended; use its connection only inside the unit";

    private final Dialect dialect;
    private final CounterRows rows;
    private final LateSeal seal;

    private final Map<Savepoint, Drawn.Place> savepoints = new LinkedHashMap<>();

    private final Map<String, Savepoint> named = new HashMap<>();
    private @Nullable Drawn drawn;
    private boolean namesAreSeen = true;

    /** Whether this unit may have set a savepoint that SQL text can name. */
    private boolean mayHaveNamed;

    private volatile boolean ended;
    private volatile boolean mayHaveEnded;
    private volatile boolean sawCounter;
    private volatile @Nullable SQLException failed;
    private volatile @Nullable SQLException brokenBy;

    GuardedConnection(Dialect dialect, Connection connection, CounterRows rows, LateSeal seal) {
        super(connection);
        this.dialect = dialect;
        this.rows = rows;
        this.seal = seal;
    }

    Connection lentTo(Drawn turn) {
        if (drawn != turn) {
            drawn = turn;
            savepoints.clear();
            named.clear();
            namesAreSeen = true;
            mayHaveNamed = false;
        }
        return lent();
    }

    void end() {
        ended = true;
    }

    /** Returns whether nothing that has run on it can have committed, as far as can be determined. */
    boolean cannotBeCommitted() {
        return !mayHaveEnded;
    }

    /** Returns whether the text of a statement names the table of the counters. */
    boolean sawCounter() {
        return sawCounter;
    }

    /** Returns the exception of the last statement that failed, whether or not its unit propagated it. */
    @Nullable
    SQLException failed() {
        return failed;
    }

    /** Returns the exception of a statement that is known to have rolled the transaction back. */
    @Nullable
    SQLException brokenBy() {
        return brokenBy;
    }

    @Override
    protected @Nullable Object onConnection(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return switch (method.getName()) {
            case "toString" -> "shared " + connection;
            case "close" -> null;
            case "isClosed" -> ended || connection.isClosed();
            default -> {
                check(method, arguments);
                Object result = call(connection, method, arguments);
                keepInStep(method, arguments, result);
                yield wrapped(result);
            }
        };
    }

    private void check(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (ended && method.getName().equals("setClientInfo")) {
            throw new SQLClientInfoException(ENDED, NO_CONNECTION, Map.of()); // it declares no other exception
        }
        checkNotEnded();
        boolean ends = switch (method.getName()) {
            case "commit", "abort", "setTransactionIsolation" -> true;
            case "rollback" -> arguments == null; // not to a savepoint
            case "setAutoCommit" -> arguments != null && Boolean.TRUE.equals(arguments[0]);
            default -> false;
        };
        if (ends) {
            throw new SQLException("""
                    a unit of work shares its transaction with others and must not call %s; return normally to commit \
                    it, or throw to undo it""".formatted(method.getName()), NO_END);
        }
        switch (method.getName()) {
            case "prepareStatement", "prepareCall" -> inspect(arguments, true);
            case "rollback", "releaseSavepoint" -> {
                if (arguments != null && isGone(arguments[0])) {
                    throw gone();
                }
            }
            case "unwrap" -> mayEnd(); // its work is not visible here
            case "setAutoCommit", "setClientInfo" -> {} // the first is off and stays off, the second ends nothing
            default -> {
                if (method.getName().startsWith("set")) {
                    seal.set(); // a savepoint must come after it, and a setting may do anything
                }
            }
        }
    }

    /** Called before a step that may end the transaction. */
    private void mayEnd() throws SQLException {
        seal.set();
        mayHaveEnded = true;
    }

    private boolean isGone(@Nullable Object savepoint) {
        Drawn.Place place = savepoints.get(savepoint);
        return place == null || place.passed();
    }

    private static SQLException gone() {
        return new SQLException("""
                this savepoint does not belong to this unit of work or no longer exists: the unit has released it, \
                rolled back beyond it, set another one with its name, or executed a savepoint statement; roll back to \
                an existing one""", NO_SAVEPOINT);
    }

    private void checkNotEnded() throws SQLException {
        if (ended) {
            throw new SQLException(ENDED, NO_CONNECTION);
        }
    }

    /** Keeps the numbers in step with savepoints. */
    private void keepInStep(Method method, @Nullable Object @Nullable [] arguments, @Nullable Object result) {
        boolean hasName = arguments != null && arguments[0] instanceof String;
        mayHaveNamed |= hasName && result instanceof Savepoint;
        if (result instanceof Savepoint savepoint && drawn != null && (namesAreSeen || !hasName)) {
            savepoints.put(savepoint, drawn.here());
            if (arguments != null && arguments[0] instanceof String name) {
                // The database returns to the newer one, whichever is meant; some engines ignore case.
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
        } else if (method.getName().equals("releaseSavepoint") && arguments != null) {
            // Later savepoints go with it. One below it may have the same name, and a rollback by name would lead
            // there.
            List<Savepoint> made = new ArrayList<>(savepoints.keySet());
            made.subList(made.indexOf(arguments[0]), made.size()).forEach(savepoints::remove);
        }
    }

    /** Inspects a statement's first argument if it is SQL text. */
    private void inspect(@Nullable Object @Nullable [] arguments, boolean forLater) throws SQLException {
        if (arguments == null || !(arguments[0] instanceof String sql)) {
            return;
        }
        sawCounter |= rows.maySee(sql);
        StatementKind kind = StatementKind.of(sql, dialect);
        if (kind == StatementKind.PLAIN) {
            return;
        }
        if (kind == StatementKind.BACK_TO_SAVEPOINT) {
            checkWayBack(sql, forLater);
        }
        if (kind != StatementKind.KEEPS_OPEN) {
            mayEnd();
        }
        if (StatementKind.isAboutSavepoints(sql)) {
            seal.set();
            // From then on, a name may refer to another savepoint than the one recorded under it.
            savepoints.keySet().removeAll(named.values());
            named.clear();
            namesAreSeen &= !forLater;
            mayHaveNamed |= StatementKind.setsSavepoint(sql);
        }
    }

    private void checkWayBack(String sql, boolean forLater) throws SQLException {
        if (forLater || (drawn != null && drawn.hasDrawn())) {
            throw new SQLException("""
                    a unit of work must not roll back in SQL after a draw, or in a batch or prepared statement, since \
                    a number could outlive its row; use Turn.mark and undo, or Connection.setSavepoint and rollback""", NO_END);
        }
        if (!mayHaveNamed && !StatementKind.setsSavepoint(sql)) {
            throw gone(); // a savepoint of this name would be another unit's
        }
    }

    @Override
    protected void failed(Throwable thrown) {
        if (thrown instanceof SQLException e) {
            failed = e;
        }
        if (ended) {
            return;
        }
        if (thrown instanceof SQLException e && dialect.restartIfEnded(connection)) {
            brokenBy = e;
            seal.restarted();
        } else {
            seal.callFailed();
        }
    }

    @Override
    protected @Nullable Object onMade(Object made, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "toString", "close", "getDriverMajorVersion", "getDriverMinorVersion" ->
                call(made, method, arguments); // all methods that declare no exception, and the end
            case "isClosed" -> ended || Boolean.TRUE.equals(call(made, method, arguments));
            case "execute",
                    "executeQuery",
                    "executeUpdate",
                    "executeLargeUpdate",
                    "executeBatch",
                    "executeLargeBatch",
                    "addBatch" -> run(made, method, arguments);
            case "unwrap" -> unwrapped(made, method, arguments);
            default -> {
                checkNotEnded();
                yield wrapped(call(made, method, arguments));
            }
        };
    }

    private @Nullable Object run(Object made, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        checkNotEnded();
        inspect(arguments, method.getName().equals("addBatch"));
        Object result = call(made, method, arguments);
        if (mayHaveEnded) {
            dialect.restartIfEnded(connection);
        }
        return wrapped(result);
    }

    /** Returns an object of the requested type: wrapped if the type is JDBC's, unwrapped if it is the driver's. */
    private @Nullable Object unwrapped(Object made, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        checkNotEnded();
        mayEnd();
        Object result = call(made, method, arguments);
        Object wrapped = wrapped(result);
        boolean fits = arguments != null && arguments[0] instanceof Class<?> type && type.isInstance(wrapped);
        return fits ? wrapped : result;
    }
}
