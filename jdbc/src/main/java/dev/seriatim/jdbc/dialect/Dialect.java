// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What each engine does in its own way: one small file per engine. Whatever only some engines
 * support, or do differently from most, is a capability: an interface in this package that the dialect also
 * implements.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface Dialect {

    /** Returns the engine's display name, which also says if support is based on the vendor's documentation alone. */
    String product();

    /** Quotes a validated identifier so that it can only be read as an identifier. */
    String quote(String identifier);

    /**
     * Returns the type of a name: up to 64 code points, compared code point by code point regardless of the
     * database's settings.
     */
    String nameType();

    /** Returns the type of a 64-bit integer. */
    default String numberType() {
        return "BIGINT";
    }

    /** Returns false if columns hold any 64-bit integer, whatever their declared type. */
    default boolean hasTypedColumns() {
        return true;
    }

    /** Returns what follows the column list of {@code CREATE TABLE}; may be empty. */
    default String tableOptions() {
        return "";
    }

    /** Returns the least privileges that an application needs on the quoted table. */
    List<Grant> grants(String table);

    /** Returns the placeholder for the application's user in grants. */
    default String grantee() {
        return Grant.USER;
    }

    /**
     * Returns a single statement that locks a row until the transaction ends and reads it; its parameter is the name.
     */
    default String lockAndRead(String table, String nameColumn, String columns) {
        String equal = SqlExpressions.of(this).operator("=");
        return "SELECT " + columns + " FROM " + table + " WHERE " + nameColumn + " " + equal + " ? FOR UPDATE";
    }

    /** Returns how the guarded statement reports the new counter inside a transaction. */
    CounterAdvance advance();

    /**
     * Returns the same for a statement that is a transaction of its own, in one round trip; empty if that is unsafe
     * or no faster.
     */
    Optional<CounterAdvance> advanceAlone();

    /**
     * Sets and checks what the whole database needs so that acknowledged commits survive a crash.
     *
     * @param table the table of the sequences, which need not exist
     * @return the problems, each a line with the setting and its remedy; empty if there are none
     */
    List<String> preflight(Connection connection, PlacedTable table) throws SQLException;

    /** Returns what an exception of this engine's driver means. */
    Fault fault(SQLException e);

    /**
     * Returns whether an exception in response to a COMMIT is the server's refusal, so that nothing is committed.
     * Returns false in case of doubt, in particular if the connection broke or the server reports an internal error.
     */
    default boolean refusesCommit(SQLException e) {
        return fault(e).nothingCommitted();
    }

    /** Returns whether a statement gave up waiting for a lock that another session holds. */
    default boolean lockHeld(SQLException e) {
        return fault(e) == Fault.TIMED_OUT;
    }
}
