// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A dialect whose transactions begin or end in another way than JDBC's, or may be ended by what fails in them. */
public interface TransactionControl {

    /** Of the other engines. */
    TransactionControl PLAIN = new TransactionControl() {};

    /** That of a dialect. */
    static TransactionControl of(Dialect dialect) {
        return dialect instanceof TransactionControl own ? own : PLAIN;
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
}
