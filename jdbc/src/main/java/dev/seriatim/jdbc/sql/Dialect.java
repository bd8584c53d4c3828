// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an engine does in its own way. A default is what most engines do, so a dialect overrides texts of SQL and few
 * methods. Larger features that some engines lack are interfaces of their own packages, which a dialect also
 * implements. Implementations are immutable and thread-safe.
 */
public interface Dialect {

    String product();

    // SQL

    /** Quotes a validated identifier so that it can only be read as one; SQLite reads double quotes as a text, too. */
    default String quote(String identifier) {
        return '`' + identifier + '`';
    }

    /** Returns the type of a name: up to 64 code points, compared code point by code point. */
    String nameType();

    default String numberType() {
        return "BIGINT";
    }

    /** Returns false if columns hold any 64-bit integer, whatever their declared type. */
    default boolean hasTypedColumns() {
        return true;
    }

    /** Returns a statement that creates a table if it does not exist. */
    default String createMissing(String table, String definition) {
        return "CREATE TABLE IF NOT EXISTS " + table + definition;
    }

    /** Returns what follows the column list of {@code CREATE TABLE}; may be empty. */
    default String tableOptions() {
        return "";
    }

    /** Returns the least privileges that an application needs on the quoted table. */
    default List<Grant> grants(String table) {
        return List.of(
                Grant.of("to draw", "GRANT SELECT, UPDATE ON " + table + " TO " + grantee()),
                Grant.of("to create and drop sequences too", "GRANT INSERT, DELETE ON " + table + " TO " + grantee()));
    }

    /** Like {@link #grants}, on the table of the pools. */
    default List<Grant> poolGrants(String table) {
        String to = table + " TO " + grantee();
        return List.of(
                Grant.of("to draw", "GRANT SELECT ON " + to),
                Grant.of("to draw in the mode POOLED", "GRANT SELECT, INSERT, UPDATE, DELETE ON " + to));
    }

    /** Returns the placeholder for the application's user in grants. */
    default String grantee() {
        return Grant.USER;
    }

    /** Returns an expression that compares a text code point by code point, in tables that the library did not create. */
    default String exact(String text) {
        return text;
    }

    /** Returns a literal of the type of names, for a text without a backslash. */
    default String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** Returns the resource beside the dialect's class that expresses the milliseconds since 1970. */
    default String clock() {
        return "clock.sql";
    }

    /** Returns an operator as written in a statement: unqualified, it could be another user's on the search path. */
    default String operator(String symbol) {
        return symbol;
    }

    /** Returns a function's name, qualified for the same reason. */
    default String function(String name) {
        return name;
    }

    // Drawing

    /** Returns a statement that locks a row until the transaction ends and reads it; its parameter is the name. */
    default String lockAndRead(String table, String nameColumn, String columns) {
        return "SELECT " + columns + " FROM " + table + " WHERE " + nameColumn + " " + operator("=") + " ? FOR UPDATE";
    }

    /** Returns a statement that locks or writes a row even if it is newer than the transaction's snapshot. */
    default String newest(String sql) {
        return sql;
    }

    /** Returns how the guarded statement reports the new counter inside a transaction. */
    default CounterAdvance advance() {
        return CounterAdvance.returning("RETURNING", operator("+"));
    }

    /** Returns the same for a statement that is a transaction of its own; empty if that is unsafe or no faster. */
    Optional<CounterAdvance> advanceAlone();

    /** Checks why a row was not found; refuses to go on if it may exist nevertheless. */
    default void checkNotOverlooked(Connection connection) throws SQLException {}

    /** Returns how numbers laid out ahead are claimed from a quoted table (POOLED mode); empty if unsupported. */
    default Optional<PoolClaim> poolClaim(String table) {
        return Optional.empty();
    }

    default String whyNoPool() {
        return "it requires PostgreSQL, MariaDB 10.6 or MySQL 8";
    }

    // Finding the table

    /**
     * Where a table is, or would be created.
     *
     * @param schema empty if the session has none
     * @param exists false if it is missing, as far as this user can see
     */
    record Place(Optional<String> schema, boolean exists) {}

    /**
     * Finds a table; temporary tables do not count.
     *
     * @param owner a role that may own the table, beside those that are trusted anyway
     * @param schema where to look; empty for wherever this session would find or create the table
     * @throws Misconfigured if it is not an ordinary table, or could run another user's
     *     code with its readers' rights
     */
    default Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        return new Place(schema, true);
    }

    /** Returns whether a table's name may begin with a schema. */
    default boolean namesSchemas() {
        return false;
    }

    /** Returns the SQL functions over a table, in its schema; empty if the engine has none. */
    default Optional<SqlFunctions> functions(SequenceTable table, Optional<String> schema) {
        return Optional.empty();
    }

    /** Returns whether all users see that a table exists, whatever their privileges. */
    default boolean seesAll() {
        return true;
    }

    // What the server guarantees

    /**
     * Sets and checks what the whole database needs so that acknowledged commits survive a crash.
     *
     * @param table the table of the sequences, which need not exist
     * @return the problems, each a line with the setting and its remedy; empty if there are none
     */
    List<String> preflight(Connection connection, PlacedTable table) throws SQLException;

    /**
     * Returns why a rollback may undo what other transactions have committed: then numbers are not dealt inside
     * callers' transactions.
     *
     * @return the problems, each a line with the cause and the remedy; empty if there are none
     */
    default List<String> rollbackProblems(Connection connection) throws SQLException {
        return List.of();
    }

    /** Configures a connection so that its commits are durable; called outside transactions. */
    default void makeDurable(Connection connection) throws SQLException {}

    /** Returns whether one transaction at a time writes to the database. */
    default boolean hasOneWriter() {
        return false;
    }

    /** Returns whether the server answers each request to prepare a statement. */
    default boolean answersPreparation() {
        return true;
    }

    // Reading

    /**
     * Returns an expression that is true if a standby answers, which may lag behind. Empty unless a query that the
     * primary answers shows every change whose commit was acknowledged before the query was sent: outside
     * transactions, with {@link #upToDate} where that differs.
     */
    default Optional<String> onStandby() {
        return Optional.empty();
    }

    /** Returns a text expression that identifies the server that answers; always the same if any server may. */
    default String server() {
        return "''";
    }

    /** Returns a query that sees all that any node has acknowledged, if it comes first in, or outside, a transaction. */
    default String upToDate(String query) {
        return query;
    }

    /** Ends an unchanged transaction if only the first statement of the next one can be {@link #upToDate}. */
    default void endOutdated(Connection unchanged) throws SQLException {}

    /** Begins a transaction whose queries see one state, without blocking writers, in auto-commit mode. */
    default Snapshot snapshot(Connection connection) throws SQLException {
        int before = connection.getTransactionIsolation();
        // Not set where it is the default: not every engine that supports it can set it.
        if (before >= Connection.TRANSACTION_REPEATABLE_READ) {
            return Snapshot.begin(connection, () -> {});
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return Snapshot.begin(connection, () -> connection.setTransactionIsolation(before));
    }

    // Transactions

    /**
     * Begins a transaction on a connection in auto-commit mode. If this fails, the connection is in that mode again.
     */
    default void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    /** Commits. If this fails and the connection is in auto-commit mode again, no transaction is open on it. */
    default void commit(Connection connection) throws SQLException {
        connection.commit();
    }

    /** Ends a transaction that has at most locked a counter, if a rollback is unsuitable for that. */
    default void endUnchanged(Connection connection) throws SQLException {}

    /**
     * Begins another transaction, to be rolled back, if a statement has ended the connection's transaction: the
     * statements that follow would commit on their own. Called after a statement that failed or that may end a
     * transaction.
     *
     * @return whether the transaction had ended
     */
    default boolean restartIfEnded(Connection connection) {
        return false;
    }

    /**
     * Makes the commit of a transaction of ours durable, whatever an earlier borrower of the connection has set; called in it.
     */
    default void commitDurably(Connection transaction) throws SQLException {}

    /** Stops the driver from naming statements in pooled sessions; the result restores its setting. */
    default Runnable nameNothing(Connection connection) {
        return () -> {};
    }

    /** Refuses a connection whose driver repeats transactions: others may have drawn the same numbers since. */
    default void checkRepeatsNothing(Connection connection) throws SQLException {}

    /** Returns whether a pooler lends the sessions of a connection to others, too. */
    default boolean sharesSessions() {
        return false;
    }

    /** Returns whether the driver knows of an open transaction on a connection that reports auto-commit mode, as in JTA. */
    default boolean openBesideAutoCommit(Connection connection) {
        return false;
    }

    /** Returns an SQL text without what sets something until the transaction ends. */
    default String withoutLocalSettings(String sql) {
        return sql;
    }

    // Waiting for locks

    /** Returns whether this limits how long the store's own transactions wait for locks. */
    default boolean boundsLockWaits() {
        return false;
    }

    /** Returns how a draw inside the caller's transaction waits for the counter's lock. */
    default LockWait lockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /**
     * Returns how each prepared statement of the store's own transactions waits for locks.
     *
     * @param atMost maximum wait, in whole seconds so that a statement's text stays the same
     */
    default LockWait ownLockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /** Returns how a draw waits that is a transaction of its own, or begins one that callers share. */
    default LockWait aloneLockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /** Limits how long statements wait for locks on a connection that the store owns; keeps a shorter setting. */
    default void boundLockWaits(Connection connection, Duration atMost) throws SQLException {}

    /** Returns the maximum pause between two attempts after a conflict. */
    default Duration longestPause() {
        return Duration.ofMillis(50);
    }

    // Transactions that callers share

    /**
     * Returns whether a shared transaction needs no more round trips than a caller's own: the guarded statement that
     * draws sees everything acknowledged before, so it can lock the counter as well; and a transaction ends only on
     * request, or by a statement that can end it or fails, so only these need a {@link Seal}.
     */
    default boolean sharesLeanly() {
        return false;
    }

    /**
     * Returns whether a text certainly leaves its transaction open, unless it fails.
     *
     * @param sql not a single statement that reads or writes rows; without comments before the first word
     */
    default boolean keepsOpen(String sql) {
        return false;
    }

    /** Returns whether a text without semicolons may hold a second statement, which sets something or ends a transaction. */
    default boolean hidesStatement(String sql) {
        return false;
    }

    default Seal seal(Connection transaction) throws SQLException {
        return SavepointSeal.set(transaction);
    }

    /** Returns whether the engine can undo part of a transaction and keep earlier changes and locks. */
    default boolean hasSavepoints() {
        return true;
    }

    /** Returns whether nodes may see what a rollback to a savepoint undid, if nothing was written before it. */
    default boolean forgetsSavepointsBeforeWrites() {
        return false;
    }

    // Failures

    Fault fault(SQLException e);

    /**
     * Returns what failed and what to do, in one line; empty if the fault is enough.
     *
     * @param database the database, for display
     * @param why the driver's message, on one line
     */
    default Optional<String> remedy(String database, String why, SQLException e) {
        return Optional.empty();
    }

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
