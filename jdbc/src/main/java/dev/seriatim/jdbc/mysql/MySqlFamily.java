// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.ClusterReads;
import dev.seriatim.jdbc.dialect.CounterAdvance;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.FailureRemedies;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.Grant;
import dev.seriatim.jdbc.dialect.MissingRowCheck;
import dev.seriatim.jdbc.dialect.SavepointSupport;
import dev.seriatim.jdbc.dialect.Settings;
import dev.seriatim.jdbc.dialect.SqlExpressions;
import dev.seriatim.jdbc.dialect.TableLookup;
import dev.seriatim.jdbc.dialect.TransactionControl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the engines that speak MySQL's protocol have in common. */
public interface MySqlFamily
        extends Dialect,
                FailureRemedies,
                MissingRowCheck,
                SavepointSupport,
                SqlExpressions,
                TableLookup,
                TransactionControl {

    /** The application's user in grants, from any host. */
    String GRANTEE = "'" + Grant.USER + "'@'%'";

    /** Reads a letter as the server does: another one if SQL text has set another character set than the driver's. */
    String READ_AS = "SELECT CONVERT(? USING utf8mb4) IN (CONVERT(UNHEX('C3A9') USING utf8mb4), '?')";

    /** The types of tables whose rows lie in them. */
    Set<String> ORDINARY = Set.of("BASE TABLE", "SYSTEM VERSIONED");

    /** Quotes a validated identifier. */
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
        String sql = ClusterReads.of(this)
                .upToDate(
                        "SELECT " + where + ", (SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = "
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
                    throw TableLookup.notTable(table, type.get());
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
            throw new Misconfigured(
                    "SQL text has set another character set on a connection than its driver's (SET NAMES), so"
                            + " names are read as others; remove that statement");
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
}
