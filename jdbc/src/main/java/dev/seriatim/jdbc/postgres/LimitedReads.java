// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.SqlWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Short read-only transactions with limits. The limits end with their transaction: behind a pooler such as PgBouncer, the server's
 * session goes on to serve another client.
 *
 * @param connection not in auto-commit mode
 */
record LimitedReads(Connection connection, InspectionLimits limits) {

    /** While a statement waits for one lock, it blocks changes of all tables that it has locked already. */
    private static final Duration WAIT_OF_MANY = Duration.ofMillis(200);

    /** Operators written with blanks around them; none occurs in a literal of these statements. */
    private static final Pattern OPERATOR = Pattern.compile("(?<=\\s)(=|<>|>|<|>=|\\|\\|)(?=\\s)");

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

    /** Runs a transaction whose search path holds the catalog alone. */
    <R> R alone(SqlWork<R> work) throws SQLException {
        return transaction(waitOfOne(limits), true, work);
    }

    /** Does the same for statements that lock many tables or sequences. */
    <R> R many(SqlWork<R> work) throws SQLException {
        Duration wait = waitOfOne(limits).compareTo(WAIT_OF_MANY) < 0 ? waitOfOne(limits) : WAIT_OF_MANY;
        return transaction(wait, true, work);
    }

    /** Runs a transaction with this user's search path. */
    <R> R onSearchPath(SqlWork<R> work) throws SQLException {
        return transaction(waitOfOne(limits), false, work);
    }

    /** Returns, in words, why a statement over one table or sequence failed. */
    String reason(SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "55P03" -> "another session holds a lock on it; look again later";
            case "57014" -> "reading it takes more than " + limits.statement().toMillis() + " ms";
            case "42501" -> "this user may not read it";
            case "42P01" -> "it was dropped meanwhile";
            default -> "it cannot be read (" + SqlFailures.oneLine(e) + ")";
        };
    }

    /** Shorter than a statement's time, or else the server says only that it took too long. */
    private static Duration waitOfOne(InspectionLimits limits) {
        return limits.statement().multipliedBy(3).dividedBy(4);
    }

    private <R> R transaction(Duration lockWait, boolean catalogAlone, SqlWork<R> work) throws SQLException {
        connection.rollback();
        limit(connection, limits, lockWait);
        if (catalogAlone) {
            set(connection, "search_path", "pg_catalog, pg_temp");
        }
        R result;
        try {
            result = work.run(connection);
        } catch (SQLException e) {
            if (!connection.isClosed()) {
                connection.rollback();
            }
            throw e;
        }
        connection.rollback();
        return result;
    }

    /** Returns a statement for SQL that is built from quoted names, in which braces mean nothing. */
    static Statement statement(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        statement.setEscapeProcessing(false);
        return statement;
    }

    private static void limit(Connection connection, InspectionLimits limits, Duration lockWait) throws SQLException {
        set(connection, "statement_timeout", milliseconds(limits.statement()));
        set(connection, "lock_timeout", milliseconds(lockWait));
    }

    private static String milliseconds(Duration time) {
        return Math.max(1, Math.min(Integer.MAX_VALUE, time.toMillis())) + "ms";
    }

    private static void set(Connection connection, String setting, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_catalog.set_config(?, ?, true)")) {
            statement.setString(1, setting);
            statement.setString(2, value);
            statement.execute();
        }
    }
}
