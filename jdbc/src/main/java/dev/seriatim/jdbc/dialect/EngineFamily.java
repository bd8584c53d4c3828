// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The engines whose drivers introduce them by the same names, as detection sees them.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface EngineFamily {

    /** Whether its engines introduce themselves by this name, which is in lower case. */
    boolean introducedAs(String product);

    /** The engines that are tested, for people. */
    List<String> tested();

    /** The engines that are known by their vendors' documents alone, for people. */
    default List<String> untested() {
        return List.of();
    }

    /**
     * The dialect of a connection whose engine is of this family.
     *
     * @param unknown refuses an engine that is not a known one, given what it calls itself
     * @throws Misconfigured when the engine is not a known one: a guess could hand out a number twice
     */
    Dialect dialect(Connection connection, Function<String, Misconfigured> unknown) throws SQLException;

    /**
     * Whether a transaction is open on a connection that is not in auto-commit mode. Looks without beginning or ending one, and
     * without harm to one that is open.
     */
    default boolean inTransaction(Connection connection) throws SQLException {
        return refusesReadOnly(connection);
    }

    /**
     * Why its driver could not connect, where the exception alone tells that; empty for those of other drivers.
     *
     * @param database which one, for people
     * @param why what the driver says, on one line
     */
    default Optional<ConnectionFault> connectionFault(String database, String why, SQLException e) {
        return Optional.empty();
    }

    /** JDBC forbids this call during a transaction; the drivers of PostgreSQL and Spanner see to that by themselves. */
    static boolean refusesReadOnly(Connection connection) throws SQLException {
        try {
            connection.setReadOnly(connection.isReadOnly());
            return false;
        } catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            return true;
        }
    }
}
