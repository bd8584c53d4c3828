// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.functions.SqlFunctions;
import dev.seriatim.table.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one engine does in its own way. One small file per engine; none inherits from another.
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

    /**
     * An expression of a text, such as a column or a parameter, that is compared code point by code point whatever the
     * column's type: for tables that others have made.
     */
    default String exact(String text) {
        return text;
    }

    /**
     * One of the engine's own operators, as a statement names it, with no blanks around it: on some engines the search path of whoever runs the
     * statement may lead to another one first, which others have made.
     *
     * @param symbol such as {@code =}
     */
    default String operator(String symbol) {
        return symbol;
    }

    /** One of the engine's own functions, in the same way. */
    default String function(String name) {
        return name;
    }

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

    /** The SQL functions over a table; empty where the engine cannot have them. */
    default Optional<SqlFunctions> functions(SequenceTable table) {
        return Optional.empty();
    }

    /** One statement that locks a row until the transaction ends and reads it; its parameter is the name. */
    default String lockAndRead(String table, String nameColumn, String columns) {
        return "SELECT " + columns + " FROM " + table + " WHERE " + nameColumn + " " + operator("=") + " ? FOR UPDATE";
    }

    /**
     * A query that finds a table, whose name is its parameter: to look for one that may be missing. Empty where a statement on a
     * missing table disturbs nobody; some drivers log a warning.
     */
    default Optional<String> findTable() {
        return Optional.empty();
    }

    /**
     * Looks why a row was not found.
     *
     * @throws Misconfigured when it may be there all the same
     */
    default void checkNotOverlooked(Connection connection) throws SQLException {}

    /**
     * A query that sees whatever has been acknowledged, by any node of a cluster, where it is outside of transactions or the
     * first statement of one.
     */
    default String upToDate(String query) {
        return query;
    }

    /** Ends a transaction that has changed nothing where only the first statement of the next one can be {@link #upToDate}. */
    default void beginAnew(Connection unchanged) throws SQLException {}

    /** How the guarded statement tells where the counter has come, inside a transaction. */
    CounterAdvance advance();

    /** The same where the statement is a transaction of its own, in one round trip; empty when that is not safe, or no gain. */
    Optional<CounterAdvance> advanceAlone();

    /**
     * How a draw inside the caller's transaction waits for the lock of the counter. By default as long as the engine's own
     * settings say; the wait for an answer bounds it.
     *
     * @param atMost how long, positive
     */
    default LockWait lockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /**
     * How each prepared statement of a transaction of our own waits for locks. By default as long as the engine's own settings, or those of
     * our connections, say.
     *
     * @param atMost how long, in whole seconds, so that the text of a statement is the same again and again
     */
    default LockWait ownLockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /** Bounds how long statements wait for locks on a connection that the store keeps for itself; a shorter setting stays. */
    default void boundLockWaits(Connection connection, Duration atMost) throws SQLException {}

    /** Seals a transaction that callers share, by a savepoint unless the engine has something better. */
    default Seal seal(Connection transaction) throws SQLException {
        return Seal.savepoint(transaction);
    }

    /**
     * How numbers that are laid out ahead are claimed (the mode POOLED); empty where that is not to be had.
     *
     * @param table the table of the pools, unquoted
     */
    default Optional<PoolClaim> poolClaim(String table) {
        return Optional.empty();
    }

    /** Why that is not to be had, for people. */
    default String whyNoPool() {
        return "it needs FOR UPDATE SKIP LOCKED as PostgreSQL, MariaDB 10.6 and MySQL 8 have it";
    }

    /** Begins a transaction on a connection in auto-commit mode. When this fails, the connection is in that mode again. */
    default void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    /** Commits. When this fails and the connection is in auto-commit mode again, no transaction is open on it. */
    default void commit(Connection connection) throws SQLException {
        connection.commit();
    }

    /**
     * Ends a transaction of ours that has locked a counter at most, and changed nothing, where a rollback is not fit for
     * that. What is still open afterwards is rolled back.
     */
    default void endUnchanged(Connection connection) throws SQLException {}

    /**
     * Whether the transaction that was begun on a connection has been ended by a statement, where the statements that follow would
     * commit by themselves; then another one has been begun, to be rolled back. Asked after a statement that failed, or that may
     * end a transaction.
     */
    default boolean begunAnew(Connection connection) {
        return false;
    }

    /** Sets what a connection needs so that its commits are durable; called outside of transactions. */
    default void makeDurable(Connection connection) throws SQLException {}

    /**
     * Sets and checks what the whole database needs so that acknowledged commits survive a crash.
     *
     * @param table the table of the sequences, unquoted; it may be missing
     * @return what is wrong: each a line that names the setting and its remedy; empty when all is well
     */
    List<String> preflight(Connection connection, String table) throws SQLException;

    /**
     * What lets a rollback take back what others have committed: numbers are then not dealt inside callers' transactions.
     *
     * @return what is wrong: each a line that names the cause and the remedy; empty where a rollback is one transaction's
     */
    default List<String> rollbackPreflight(Connection connection) throws SQLException {
        return List.of();
    }

    /** How several queries see one state of the database. */
    default Snapshot snapshot() {
        return new RepeatableRead();
    }

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

    /** The longest pause between two attempts after a conflict. */
    default Duration longestPause() {
        return Duration.ofMillis(50);
    }
}
