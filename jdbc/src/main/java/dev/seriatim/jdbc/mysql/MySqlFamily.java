// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.Grant;
import dev.seriatim.jdbc.dialect.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the engines that speak MySQL's protocol have in common. */
public final class MySqlFamily {

    /** ER_TABLE_DEF_CHANGED. */
    private static final int NEWER_TABLE = 1412;

    /** ER_OPTION_PREVENTS_STATEMENT and ER_READ_ONLY_MODE. */
    private static final Set<Integer> NO_WRITES = Set.of(1290, 1836);

    /** HA_ERR_LOCK_DEADLOCK. */
    private static final Pattern LOCK_DEADLOCK = Pattern.compile("\\berror 149\\b");

    /** The application's user, from any host. */
    static final String GRANTEE = "'" + Grant.USER + "'@'%'";

    static final String FIND_TABLE =
            "SELECT 'yes' FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?";

    private static final String ENGINE =
            "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?";

    static final String LOGS_STATEMENTS =
            "binlog_format is STATEMENT: replicas draw again what was drawn, and may give the"
                    + " numbers to other rows, and InnoDB refuses draws at READ COMMITTED (error 1665)";
    static final String LOG_ROWS = "SET GLOBAL binlog_format = 'MIXED' or 'ROW', for the connections made from then on";

    private static final System.Logger LOG = System.getLogger(MySqlFamily.class.getName());

    private MySqlFamily() {}

    /** Sets the limit in whole seconds, rounded up. */
    static void boundLockWaits(Connection connection, Duration atMost) throws SQLException {
        long seconds = Math.max(1, atMost.plusSeconds(1).minusNanos(1).toSeconds());
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = CAST(LEAST(@@innodb_lock_wait_timeout, " + seconds
                    + ") AS UNSIGNED)");
        }
    }

    static Optional<String> variable(Connection connection, String name) throws SQLException {
        // Not @@name, which fails if the variable does not exist. The name is a constant of ours.
        String sql = "SHOW VARIABLES WHERE Variable_name = '" + name + "'";
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            return row.next() ? Optional.ofNullable(row.getString(2)) : Optional.empty();
        }
    }

    static String quote(String identifier) {
        return '`' + identifier + '`';
    }

    /** Compares as bytes: collations, even one named binary, may ignore trailing blanks. */
    static String exact(String text) {
        return "CAST(CONVERT(" + text + " USING utf8mb4) AS BINARY)";
    }

    /** Returns the least privileges that an application needs. */
    static List<Grant> grants(String table) {
        return List.of(
                Grant.of("to draw", "GRANT SELECT, UPDATE ON " + table + " TO " + GRANTEE),
                Grant.of("to create and drop sequences too", "GRANT INSERT, DELETE ON " + table + " TO " + GRANTEE));
    }

    /** Returns the InnoDB settings that lose acknowledged commits. */
    static List<String> preflight(Connection connection, String table) throws SQLException {
        List<String> problems = new ArrayList<>();
        String flush = variable(connection, "innodb_flush_log_at_trx_commit").orElse("1");
        if (!flush.equals("1")) {
            problems.add("innodb_flush_log_at_trx_commit is " + flush
                    + ": a crash loses acknowledged commits; SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        }
        boolean logs = variable(connection, "log_bin").orElse("OFF").equals("ON");
        String sync = variable(connection, "sync_binlog").orElse("1");
        if (logs && !sync.equals("1")) {
            problems.add(
                    "sync_binlog is " + sync
                            + " with the binary log on: recovery from a power cut drops commits that the log misses; SET GLOBAL sync_binlog = 1");
        }
        if (logsStatements(connection)) {
            // Drawing fails at these levels; at the others, numbers are safe.
            if (connection.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED) {
                problems.add(LOGS_STATEMENTS + "; " + LOG_ROWS);
            } else {
                LOG.log(System.Logger.Level.INFO, LOGS_STATEMENTS + "; " + LOG_ROWS);
            }
        }
        String engine = Settings.read(connection, ENGINE, table).orElse("InnoDB");
        if (!engine.equalsIgnoreCase("InnoDB")) {
            problems.add("table " + table + " is " + engine
                    + ", which has no transactions and can repeat values after a crash; ALTER TABLE " + table
                    + " ENGINE = InnoDB");
        }
        return problems;
    }

    /** Returns whether this server's binary log records statements instead of changed rows. */
    static boolean logsStatements(Connection connection) throws SQLException {
        return variable(connection, "log_bin").orElse("OFF").equals("ON")
                && variable(connection, "binlog_format").orElse("ROW").equals("STATEMENT");
    }

    /** Returns whether a statement has waited for a lock, as opposed to meeting a row newer than its snapshot. */
    static boolean lockHeld(SQLException e) {
        return fault(e) == Fault.TIMED_OUT && e.getErrorCode() != NEWER_TABLE;
    }

    public static Fault fault(SQLException e) {
        return switch (e.getErrorCode()) {
            // Deadlock, a row newer than the snapshot, a conflict between cluster nodes
            case 1213, 1020, 3101 -> Fault.CONFLICT;
            case 1180 -> atCommit(String.valueOf(e.getMessage()));
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
            default -> byState(e, Optional.ofNullable(e.getSQLState()).orElse(""));
        };
    }

    /** Returns the remedy for a server that accepts no writes; the transaction is not the cause. */
    static Optional<String> remedy(String database, String why, SQLException e) {
        return NO_WRITES.contains(e.getErrorCode())
                ? Optional.of(database + " takes no writes (" + why
                        + "); name a server that takes writes, or give this user the right to write")
                : Optional.empty();
    }

    /** Only a cluster defers checks to COMMIT; an error with the general SQLSTATE leaves the outcome unknown. */
    static boolean refusesCommit(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        boolean said = Stream.of("22", "23", "25", "42", "45").anyMatch(state::startsWith);
        return said || fault(e).nothingCommitted();
    }

    /**
     * ER_ERROR_DURING_COMMIT names the storage engine's error. One such error is how a cluster reports that another
     * node was first and the transaction was rolled back; for any other, such as a disk error, the outcome is
     * unknown.
     */
    private static Fault atCommit(String message) {
        return LOCK_DEADLOCK.matcher(message).find() ? Fault.CONFLICT : Fault.OTHER;
    }

    private static Fault byState(SQLException e, String state) {
        if (state.equals("40001")) {
            return Fault.CONFLICT;
        }
        // MySQL's driver raises this without asking the server, and has no code for it.
        if (state.equals("S1009") && String.valueOf(e.getMessage()).startsWith("Connection is read-only")) {
            return Fault.READ_ONLY;
        }
        if (state.startsWith("08") || state.equals("70100")) {
            return Fault.LOST;
        }
        // MySQL's driver has no code for its own query timeout.
        return e instanceof SQLTimeoutException ? Fault.TIMED_OUT : Fault.OTHER;
    }
}
