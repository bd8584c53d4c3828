// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * What one engine does in its own way. One small file per engine; none inherits from another.
 *
 * <p>Implementations are immutable and thread-safe.
 */
interface Dialect {

    /** The engine, as its driver's metadata names it. */
    String product();

    /** A checked identifier, quoted so that it can never be read as anything but an identifier. */
    String quote(String identifier);

    /** The type of a name of up to 64 characters, compared character by character. */
    String nameType();

    /** The type of a 64-bit whole number. */
    String numberType();

    /** What follows the column list of {@code CREATE TABLE}; may be empty. */
    String tableOptions();

    /** Advice on the least privileges an application needs on the quoted table, one line each, as SQL comments. */
    List<String> grants(String table);

    /** One statement that locks a row until the transaction ends and reads it; its parameter is the name. */
    String lockAndRead(String table, String nameColumn, String columns);

    /** How the guarded statement of the fast path tells where the counter has come. */
    CounterAdvance advance();

    /** Begins a transaction on a connection in auto-commit mode. When this fails, the connection is in that mode again. */
    void begin(Connection connection) throws SQLException;

    /** Commits. When this fails and the connection is in auto-commit mode again, no transaction is open on it. */
    void commit(Connection connection) throws SQLException;

    /** Sets what a connection needs so that its commits are durable; called outside of transactions. */
    void makeDurable(Connection connection) throws SQLException;

    /**
     * Sets and checks what the whole database needs so that acknowledged commits survive a crash.
     *
     * @return what is wrong: each a line that names the setting and its remedy; empty when all is well
     */
    List<String> preflight(Connection connection) throws SQLException;

    /** What an exception of this engine's driver means. */
    Fault fault(SQLException e);

    /** The longest pause between two attempts after a conflict. */
    Duration longestPause();
}
