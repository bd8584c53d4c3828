// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Short read-only transactions with limits on PostgreSQL. The limits end with their transaction: behind a pooler such as PgBouncer,
 * the server's session goes on to serve another client.
 *
 * @param connection not in auto-commit mode
 */
record LimitedReads(Connection connection, InspectionLimits limits, Skips skips) {

    /** While a statement waits for one lock, it blocks changes of all tables that it has locked already. */
    private static final Duration WAIT_OF_MANY = Duration.ofMillis(200);

    /** Operators written with blanks around them; none occurs in a literal of these statements. */
    private static final Pattern OPERATOR = Pattern.compile("(?<=\\s)(=|<>|>|<|>=|\\|\\|)(?=\\s)");

    /** Reads in a transaction. */
    @FunctionalInterface
    interface Work<R> {
        R on(Connection connection) throws SQLException;
    }

    /** Qualifies the operators of a statement, which are written with blanks around them. */
    static String qualified(String sql) {
        return OPERATOR.matcher(sql).replaceAll("OPERATOR(pg_catalog.$1)");
    }

    /** Makes the connection's transactions read-only, and limits the next one. */
    static void begin(Connection connection, InspectionLimits limits) throws SQLException {
        connection.setAutoCommit(true);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        limit(connection, limits, waitOfOne(limits));
    }

    /** Returns the rows of a query on the catalog. */
    <R> List<R> rows(String sql, Query.Row<R> reader) throws SQLException {
        return alone(open -> Query.rows(open, sql, reader));
    }

    /** Passes each row of a query on the catalog to {@code use}. */
    void each(String sql, Query.RowUse use) throws SQLException {
        alone(open -> {
            Query.each(open, sql, use);
            return sql;
        });
    }

    /** Returns the rows of a query that may be refused, which is reported as skipped. */
    <R> List<R> rowsOrSkip(String subject, String sql, Query.Row<R> reader) throws SQLException {
        try {
            return rows(sql, reader);
        } catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            skips.add(subject, "not readable by this user (" + Query.message(e) + ")");
            return List.of();
        }
    }

    /** Returns a reader of many sequences or tables. */
    BatchedReads batches() {
        long end = System.nanoTime() + limits.total().toNanos();
        return new BatchedReads(connection, end, skips, this::run, this::reason);
    }

    private void run(boolean many, BatchedReads.Read read) throws SQLException {
        Duration alone = waitOfOne(limits);
        transaction(many && alone.compareTo(WAIT_OF_MANY) > 0 ? WAIT_OF_MANY : alone, true, open -> {
            read.on(open);
            return many;
        });
    }

    /** Runs a transaction whose search path holds the catalog alone. */
    <R> R alone(Work<R> work) throws SQLException {
        return transaction(waitOfOne(limits), true, work);
    }

    /** Runs a transaction with this user's search path. */
    <R> R onSearchPath(Work<R> work) throws SQLException {
        return transaction(waitOfOne(limits), false, work);
    }

    /** Returns why a statement over one table or sequence failed. */
    String reason(SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "55P03" -> "another session holds a lock on it; look again later";
            case "57014" -> "reading it takes more than " + limits.statement().toMillis() + " ms";
            case "42501" -> Skips.DENIED;
            case "42P01" -> Skips.DROPPED;
            default -> Skips.unread(e);
        };
    }

    /** Shorter than a statement's time; otherwise the server only says that it took too long. */
    private static Duration waitOfOne(InspectionLimits limits) {
        return limits.statement().multipliedBy(3).dividedBy(4);
    }

    private <R> R transaction(Duration lockWait, boolean catalogAlone, Work<R> work) throws SQLException {
        connection.rollback();
        limit(connection, limits, lockWait);
        if (catalogAlone) {
            set(connection, "search_path", "pg_catalog, pg_temp");
        }
        try {
            return work.on(connection);
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        }
    }

    private static void limit(Connection connection, InspectionLimits limits, Duration lockWait) throws SQLException {
        set(connection, "statement_timeout", milliseconds(limits.statement()));
        set(connection, "lock_timeout", milliseconds(lockWait));
    }

    private static String milliseconds(Duration time) {
        return Math.max(1, Math.min(Integer.MAX_VALUE, time.toMillis())) + "ms";
    }

    private static void set(Connection connection, String setting, String value) throws SQLException {
        Query.first(connection, "SELECT pg_catalog.set_config(?, ?, true)", setting, value);
    }
}
