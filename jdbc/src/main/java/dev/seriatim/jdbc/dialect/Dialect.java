// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What every engine does in its own way. One small file per engine; none inherits from another. What some engines do, or do in
 * another way than most, is a capability: an interface beside this one, which a dialect also implements.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface Dialect {

    /** The engine, for people; says so when it is known by its vendor's documents alone. */
    String product();

    /** A checked identifier, quoted so that it can never be read as anything but an identifier. */
    String quote(String identifier);

    /** The type of a name of up to 64 code points, compared code point by code point whatever the database's settings. */
    String nameType();

    /** The type of a 64-bit whole number. */
    default String numberType() {
        return "BIGINT";
    }

    /** What follows the column list of {@code CREATE TABLE}; may be empty. */
    default String tableOptions() {
        return "";
    }

    /** Advice on the least privileges an application needs on the quoted table, one line each, as SQL comments. */
    List<String> grants(String table);

    /** One statement that locks a row until the transaction ends and reads it; its parameter is the name. */
    default String lockAndRead(String table, String nameColumn, String columns) {
        String equal = SqlExpressions.of(this).operator("=");
        return "SELECT " + columns + " FROM " + table + " WHERE " + nameColumn + " " + equal + " ? FOR UPDATE";
    }

    /** How the guarded statement tells where the counter has come, inside a transaction. */
    CounterAdvance advance();

    /** The same where the statement is a transaction of its own, in one round trip; empty when that is not safe, or no gain. */
    Optional<CounterAdvance> advanceAlone();

    /**
     * Sets and checks what the whole database needs so that acknowledged commits survive a crash.
     *
     * @param table the table of the sequences, unquoted; it may be missing
     * @return what is wrong: each a line that names the setting and its remedy; empty when all is well
     */
    List<String> preflight(Connection connection, String table) throws SQLException;

    /** What an exception of this engine's driver means. */
    Fault fault(SQLException e);

    /**
     * Whether an exception that answers a COMMIT is the server's refusal, so that nothing is committed. False when in doubt, above
     * all when the connection broke or the server says that something went wrong inside it.
     */
    default boolean refusesCommit(SQLException e) {
        return fault(e).nothingCommitted();
    }

    /** Whether a statement gave up waiting for a lock that another session holds. */
    default boolean lockHeld(SQLException e) {
        return fault(e) == Fault.TIMED_OUT;
    }
}
