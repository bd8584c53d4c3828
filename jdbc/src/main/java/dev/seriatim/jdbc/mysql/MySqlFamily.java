// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The common part of MySQL and MariaDB. */
public interface MySqlFamily extends Dialect {

    /** Statements that do not commit; {@code SET} unless it names something that commits or contains a statement. */
    Pattern KEEPS_OPEN = Pattern.compile("(?is)(?:(?:show|explain|describe|desc|do|use|savepoint|release)\\b"
            + "|set\\s(?!.*(?:autocommit|password|statement|global|persist|wsrep))"
            + "\\s*(?:@|(?:session|local|names|character|charset|role)\\s|\\w+\\s*:?=))[^;]*;?\\s*");

    String GRANTEE = "'" + Grant.USER + "'@'%'";

    /** Reads a letter as the server does: another one if SQL text has set another character set than the driver's. */
    String READ_AS = "SELECT CONVERT(? USING utf8mb4) IN (CONVERT(UNHEX('C3A9') USING utf8mb4), '?')";

    /** The types of tables whose rows lie in them. */
    Set<String> ORDINARY = Set.of("BASE TABLE", "SYSTEM VERSIONED");

    /** ER_TABLE_DEF_CHANGED. */
    int NEWER_TABLE = 1412;

    /** ER_UNKNOWN_COM_ERROR. */
    int UNKNOWN_COMMAND = 1047;

    /** ER_OPTION_PREVENTS_STATEMENT and ER_READ_ONLY_MODE. */
    Set<Integer> NO_WRITES = Set.of(1290, 1836);

    /**
     * ER_CON_COUNT_ERROR, ER_DBACCESS_DENIED_ERROR, ER_UNKNOWN_COM_ERROR, ER_BAD_DB_ERROR, ER_TOO_MANY_USER_CONNECTIONS,
     * ER_USER_LIMIT_REACHED.
     */
    Set<Integer> AT_LOGIN = Set.of(1040, 1044, UNKNOWN_COMMAND, 1049, 1203, 1226);

    /** HA_ERR_LOCK_DEADLOCK, in a message of any language. */
    Pattern LOCK_DEADLOCK = Pattern.compile("(?<!=)\\b149\\b");

    static String quoted(String identifier) {
        return '`' + identifier + '`';
    }

    /** {@inheritDoc} Compares as bytes: collations, even one named binary, may ignore trailing blanks. */
    @Override
    default String exact(String text) {
        return "CAST(CONVERT(" + text + " USING utf8mb4) AS BINARY)";
    }

    @Override
    default String tableOptions() {
        return " ENGINE = InnoDB";
    }

    @Override
    default String grantee() {
        return GRANTEE;
    }

    /** {@inheritDoc} Refuses a view, which could call others' functions. */
    @Override
    default Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        String where = schema.isPresent() ? "?" : "DATABASE()";
        String sql =
                upToDate("SELECT " + where + ", (SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = "
                        + where + " AND TABLE_NAME = ? LIMIT 1)");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            if (schema.isPresent()) {
                statement.setString(next++, schema.get());
                statement.setString(next++, schema.get());
            }
            statement.setString(next, table);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                Optional<String> type = Optional.ofNullable(row.getString(2));
                if (type.isPresent() && !ORDINARY.contains(type.get())) {
                    throw PlacedTable.notTable(table, type.get());
                }
                return new Place(Optional.ofNullable(row.getString(1)), type.isPresent());
            }
        }
    }

    /** {@inheritDoc} A user sees only the tables on which it has a privilege. */
    @Override
    default boolean seesAll() {
        return false;
    }

    /** {@inheritDoc} The name could be read as another one, under which a second row would be created. */
    @Override
    default void checkNotOverlooked(Connection connection) throws SQLException {
        if (Sql.read(connection, READ_AS, "\u00e9").orElse("1").equals("0")) {
            throw new Misconfigured("""
                    SQL (SET NAMES) has given a connection another character set than its driver's, so names \
                    are misread; remove that statement""");
        }
    }

    @Override
    default void checkRepeatsNothing(Connection connection) throws SQLException {
        DriverState.checkRepeatsNothing(connection);
    }

    /** {@inheritDoc} In a branch of a distributed transaction, the server says so beside auto-commit. */
    @Override
    default boolean openBesideAutoCommit(Connection connection) {
        return DriverState.inTransaction(connection);
    }

    @Override
    default CounterAdvance advance() {
        return new LastInsertId();
    }

    @Override
    default Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    default Fault fault(SQLException e) {
        return switch (e.getErrorCode()) {
            // Deadlock, a row newer than the snapshot, a conflict between cluster nodes
            case 1213, 1020, 3101 -> Fault.CONFLICT;
            // At commit: a cluster's node was first, or the outcome is unknown
            case 1180 -> LOCK_DEADLOCK.matcher(String.valueOf(e.getMessage())).find() ? Fault.CONFLICT : Fault.OTHER;
            case UNKNOWN_COMMAND -> isNotReady(e) ? Fault.CONFLICT : byState(e);
            // Lock timeouts, statement timeouts
            case 1205, 3572, 1969, 3024 -> Fault.TIMED_OUT;
            // A table newer than the snapshot: only the statement is undone
            case NEWER_TABLE -> Fault.TIMED_OUT;
            case 1062 -> Fault.DUPLICATE;
            case 1146, 1049 -> Fault.MISSING_TABLE;
            case 1054 -> Fault.MISSING_COLUMN;
            case 1264, 1366, 1292, 1690 -> Fault.WRONG_TYPE;
            case 1142, 1143, 1044, 1227, 1370 -> Fault.DENIED;
            case 1290, 1792, 1836 -> Fault.READ_ONLY;
            case 1114, 1021, 3 -> Fault.FULL;
            case 1040, 1203, 1226 -> Fault.NO_TURN;
            default -> byState(e);
        };
    }

    /** {@inheritDoc} Returns false for a row or table newer than the snapshot. */
    @Override
    default boolean lockHeld(SQLException e) {
        return fault(e) == Fault.TIMED_OUT && e.getErrorCode() != NEWER_TABLE;
    }

    /** Returns the remedy for a server that accepts no writes or no statements; the transaction is not the cause. */
    @Override
    default Optional<String> remedy(String database, String why, SQLException e) {
        if (isNotReady(e)) {
            return Optional.of(database + " is not ready (" + why
                    + "); wait until the node has joined its cluster, or name another one");
        }
        return NO_WRITES.contains(e.getErrorCode())
                ? Optional.of(database + " accepts no writes (" + why
                        + "); name a server that accepts writes, or allow this user to write")
                : Optional.empty();
    }

    /**
     * {@inheritDoc} Only a cluster defers checks to COMMIT; an error with the general SQLSTATE leaves the outcome unknown. So
     * does an error of a login: MariaDB's driver connects again after it has lost the answer to a COMMIT.
     */
    @Override
    default boolean refusesCommit(SQLException e) {
        Fault fault = fault(e);
        if (fault == Fault.LOST || AT_LOGIN.contains(e.getErrorCode())) {
            return false;
        }
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        return fault.nothingCommitted()
                || Stream.of("22", "23", "25", "42", "45").anyMatch(state::startsWith);
    }

    /** Returns whether a cluster's node refuses all statements until it has joined the cluster again. */
    private static boolean isNotReady(SQLException e) {
        return e.getErrorCode() == UNKNOWN_COMMAND
                && String.valueOf(e.getMessage()).contains("WSREP");
    }

    private static Fault byState(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        if (state.equals("40001")) {
            return Fault.CONFLICT;
        }
        // MySQL's driver raises this without asking the server, and has no code for it.
        if (state.equals("S1009") && String.valueOf(e.getMessage()).startsWith("Connection is read-only")) {
            return Fault.READ_ONLY;
        }
        // MariaDB's driver raises 25S03 once it has connected again, also instead of the answer to a COMMIT.
        if (state.startsWith("08") || state.equals("70100") || state.equals("25S03")) {
            return Fault.LOST;
        }
        // MySQL's driver has no code for its own query timeout.
        return e instanceof SQLTimeoutException ? Fault.TIMED_OUT : Fault.OTHER;
    }

    @Override
    default boolean sharesLeanly() {
        return true;
    }

    @Override
    default boolean boundsLockWaits() {
        return true;
    }

    @Override
    default boolean keepsOpen(String sql) {
        return KEEPS_OPEN.matcher(sql).matches();
    }

    /** {@inheritDoc} Sets the limit in whole seconds, rounded up. */
    @Override
    default void boundLockWaits(Connection connection, Duration atMost) throws SQLException {
        long seconds = Math.max(1, atMost.plusSeconds(1).minusNanos(1).toSeconds());
        Sql.execute(
                connection,
                "SET SESSION innodb_lock_wait_timeout = CAST(LEAST(@@innodb_lock_wait_timeout, " + seconds
                        + ") AS UNSIGNED)");
    }

    /** {@inheritDoc} As a text, which since MariaDB 12.0.1 has more values than two. */
    @Override
    default Optional<String> onStandby() {
        return Optional.of("CONCAT(@@GLOBAL.read_only) NOT IN ('0', 'OFF')");
    }

    @Override
    default String server() {
        return "CAST(@@GLOBAL.server_id AS CHAR)";
    }

    @Override
    default LockWait ownLockWait(Duration atMost) {
        return lockWait(atMost);
    }

    @Override
    default List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        return InnoDbSettings.problems(connection, table);
    }
}
