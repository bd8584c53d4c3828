// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.BenchmarkSql;
import dev.seriatim.jdbc.dialect.BenchmarkSupport;
import dev.seriatim.jdbc.dialect.CounterAdvance;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.FailureRemedies;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.Grant;
import dev.seriatim.jdbc.dialect.SavepointSupport;
import dev.seriatim.jdbc.dialect.SqlExpressions;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What the engines that speak MySQL's protocol have in common. */
public interface MySqlFamily extends Dialect, BenchmarkSupport, FailureRemedies, SavepointSupport, SqlExpressions {

    /** The application's user in grants, from any host. */
    String GRANTEE = "'" + Grant.USER + "'@'%'";

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

    @Override
    default CounterAdvance advance() {
        return new LastInsertId();
    }

    @Override
    default Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    default BenchmarkSql benchmarkSql() {
        return new MySqlBenchmark(false);
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
