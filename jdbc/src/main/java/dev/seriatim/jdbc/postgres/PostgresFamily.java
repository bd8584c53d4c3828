// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.dialect.BenchmarkSql;
import dev.seriatim.jdbc.dialect.BenchmarkSupport;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.Grant;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What the engines that speak PostgreSQL's protocol have in common. */
public interface PostgresFamily extends Dialect, BenchmarkSupport {

    /** Quotes a validated identifier. */
    static String quoted(String identifier) {
        return '"' + identifier + '"';
    }

    /** Quotes any text as an identifier. */
    static String quoteAny(String identifier) {
        return quoted(identifier.replace("\"", "\"\""));
    }

    /**
     * Returns a qualified operator. An unqualified one without an exact match for its types, such as {@code varchar =
     * varchar}, could resolve to an operator that another user has created for those types in a schema on the search
     * path, and would run it with the caller's privileges.
     */
    static String ownOperator(String symbol) {
        return "OPERATOR(pg_catalog." + symbol + ")";
    }

    /** Returns a qualified function, for the same reason. */
    static String ownFunction(String name) {
        return "pg_catalog." + name;
    }

    @Override
    default String quote(String identifier) {
        return quoted(identifier);
    }

    @Override
    default List<Grant> grants(String table) {
        return List.of(
                Grant.of("to draw", "GRANT SELECT, UPDATE ON " + table + " TO " + Grant.USER),
                Grant.of("to create and drop sequences too", "GRANT INSERT, DELETE ON " + table + " TO " + Grant.USER));
    }

    @Override
    default BenchmarkSql benchmarkSql() {
        return new PostgresBenchmark();
    }

    @Override
    default Fault fault(SQLException e) {
        return PostgresErrors.fault(e);
    }

    @Override
    default Optional<String> remedy(String database, String why, SQLException e) {
        return PostgresErrors.remedy(database, why, e);
    }

    @Override
    default boolean refusesCommit(SQLException e) {
        return PostgresErrors.refusesCommit(e);
    }
}
