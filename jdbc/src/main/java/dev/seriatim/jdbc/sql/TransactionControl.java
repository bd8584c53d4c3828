// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;

/** How an engine's transactions begin and end. */
public interface TransactionControl {

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

    /**
     * Ends a transaction of ours that has at most locked a counter and changed nothing, if a rollback is unsuitable
     * for that. Whatever is still open afterwards is rolled back.
     */
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

    /**
     * Stops the driver from naming statements in the server, if a pooler may lend each transaction another session.
     *
     * @return restores the driver's setting
     */
    default Runnable nameNothing(Connection connection) {
        return () -> {};
    }

    /**
     * Refuses a connection whose driver repeats transactions by itself: others may have drawn the same numbers since. Asks the
     * driver, not the server.
     *
     * @throws Misconfigured if it does
     */
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
}
