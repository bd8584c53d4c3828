// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * The engines whose drivers report the same product names; used for detection.
 * Implementations are immutable and thread-safe.
 */
public interface EngineFamily {

    String SUPPORTED = "SQLite, H2, PostgreSQL, Aurora DSQL, MariaDB, MySQL, Spanner, SQL Server";

    /** Returns whether engines of this family report this product name, given in lower case. */
    boolean introducedAs(String product);

    /**
     * Returns the dialect of a connection whose engine belongs to this family.
     *
     * @throws Misconfigured if the engine is {@link #unknown}: a guess could deal a number twice
     */
    Dialect dialect(Connection connection) throws SQLException;

    static Misconfigured unknown(String product) {
        return new Misconfigured("database '" + product + "' is not supported; supported: " + SUPPORTED);
    }

    /** Returns whether a transaction is open on a connection in manual-commit mode, without affecting it. */
    default boolean inTransaction(Connection connection) throws SQLException {
        return refusesReadOnly(connection);
    }

    /** Returns whether SQL text has begun a transaction in auto-commit mode; rarely asks the server. */
    default boolean begunInText(Connection connection) throws SQLException {
        return false;
    }

    /**
     * Returns why the family's driver could not open a file, with the remedy; empty for other exceptions.
     *
     * @param database the database, for display
     * @param why the driver's message, on one line
     */
    default Optional<SequenceException> fileFailure(String database, String why, SQLException e) {
        return Optional.empty();
    }

    /**
     * Returns the options of its driver under which a connection creates no database, and leaves nothing in a session that a pooler
     * lends to others; empty for URLs of other drivers, and where a connection never does.
     *
     * @param readOnly whether it must not change one either, where the driver can promise that
     * @throws Misconfigured if the database is a file that is missing
     */
    default Map<String, String> existing(String driverUrl, boolean readOnly) {
        return Map.of();
    }

    /** JDBC forbids this call during a transaction; the drivers of PostgreSQL and Spanner enforce this themselves. */
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
