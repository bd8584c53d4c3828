// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Settings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The common part of MySQL and MariaDB. */
public interface MySqlFamily extends Dialect {

    /**
     * Statements that do not commit; {@code SET} unless it names something that commits or contains a statement.
     */
    Pattern KEEPS_OPEN = Pattern.compile("(?is)(?:(?:show|explain|describe|desc|do|use|savepoint|release)\\b"
            + "|set\\s(?!.*(?:autocommit|password|statement|global|persist|wsrep))"
            + "\\s*(?:@|(?:session|local|names|character|charset|role)\\s|\\w+\\s*:?=))[^;]*;?\\s*");

    String GRANTEE = "'" + Grant.USER + "'@'%'";

    /** Reads a letter as the server does: another one if SQL text has set another character set than the driver's. */
    String READ_AS = "SELECT CONVERT(? USING utf8mb4) IN (CONVERT(UNHEX('C3A9') USING utf8mb4), '?')";

    /** The types of tables whose rows lie in them. */
    Set<String> ORDINARY = Set.of("BASE TABLE", "SYSTEM VERSIONED");

    static String quoted(String identifier) {
        return '`' + identifier + '`';
    }

    @Override
    default String quote(String identifier) {
        return quoted(identifier);
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
    default List<Grant> grants(String table) {
        return List.of(
                Grant.of("to draw", "GRANT SELECT, UPDATE ON " + table + " TO " + GRANTEE),
                Grant.of("to create and drop sequences too", "GRANT INSERT, DELETE ON " + table + " TO " + GRANTEE));
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
        if (Settings.read(connection, READ_AS, "\u00e9").orElse("1").equals("0")) {
            throw new Misconfigured("""
                    SQL text has set another character set on a connection than its driver's (SET NAMES), so names \
                    are read as others; remove that statement""");
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
        return MySqlErrors.fault(e);
    }

    /** {@inheritDoc} Returns false for a table newer than the snapshot. */
    @Override
    default boolean lockHeld(SQLException e) {
        return MySqlErrors.lockHeld(e);
    }

    @Override
    default Optional<String> remedy(String database, String why, SQLException e) {
        return MySqlErrors.remedy(database, why, e);
    }

    @Override
    default boolean refusesCommit(SQLException e) {
        return MySqlErrors.refusesCommit(e);
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
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = CAST(LEAST(@@innodb_lock_wait_timeout, " + seconds
                    + ") AS UNSIGNED)");
        }
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
