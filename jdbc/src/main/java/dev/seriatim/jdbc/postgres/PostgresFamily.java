// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;

/** The common part of PostgreSQL and Aurora DSQL. */
public interface PostgresFamily extends Dialect {

    static String quoted(String identifier) {
        return '"' + identifier + '"';
    }

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
    default Fault fault(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        String message = String.valueOf(e.getMessage());
        return switch (state) {
            // Serialization failure (on DSQL at commit), deadlock
            case "40001", "40P01" -> Fault.CONFLICT;
            // Lock timeout, statement timeout
            case "55P03", "57014" -> Fault.TIMED_OUT;
            case "25P02" -> Fault.SPOILED;
            // Another session is creating this table, or its row type, at the same moment: look again
            case "42P07", "42710" -> Fault.CONFLICT;
            case "23505" -> message.matches("(?s)[^\n]*\\Wpg_.*") ? Fault.CONFLICT : Fault.DUPLICATE;
            case "42P01", "3F000" -> Fault.MISSING_TABLE;
            case "42703" -> Fault.MISSING_COLUMN;
            case "42883", "42804", "22003", "22P02", "42846" -> Fault.WRONG_TYPE;
            case "42501" -> Fault.DENIED;
            case "25006" -> Fault.READ_ONLY;
            case "53100" -> Fault.FULL;
            case "53300" -> Fault.NO_TURN;
            case "57P01", "57P02", "57P03", "57P05" -> Fault.LOST;
            default -> state.startsWith("23") ? Fault.VIOLATION : state.startsWith("08") ? Fault.LOST : Fault.OTHER;
        };
    }

    /** Returns the remedy for a pooler that mixes up the statements that the driver has prepared by name. */
    @Override
    default Optional<String> remedy(String database, String why, SQLException e) {
        return "42P05".equals(e.getSQLState()) || "26000".equals(e.getSQLState())
                ? Optional.of("""
                        %s is reached through a pooler, such as PgBouncer in transaction mode, that mixes up the \
                        driver's prepared statements (%s); add prepareThreshold=0 to \
                        the driver's options, and try again""".formatted(database, why))
                : Optional.empty();
    }

    /** {@inheritDoc} Any error is, for example of a deferred trigger, unless the server or connection is in trouble. */
    @Override
    default boolean refusesCommit(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        // Connection, operator intervention that ends the session, the system, an internal error, 'completion unknown'
        boolean unsure = Stream.of("08", "57P0", "58", "XX").anyMatch(state::startsWith) || state.equals("40003");
        return !unsure && state.matches("[0-9A-Z]{5}");
    }
}
