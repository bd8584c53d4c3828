// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/** A dialect whose engine can undo part of a transaction and keep earlier changes and locks. */
public interface SavepointSupport {

    /** Sets a savepoint. */
    default Savepoint set(Connection transaction) throws SQLException {
        return transaction.setSavepoint();
    }

    /** Undoes everything since the savepoint. */
    default void undo(Connection transaction, Savepoint since) throws SQLException {
        transaction.rollback(since);
    }
}
