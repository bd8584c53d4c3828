// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/** A dialect whose engine undoes a part of a transaction alone, and keeps what was done and locked before it. */
public interface SavepointSupport {

    /** Sets a savepoint. */
    default Savepoint set(Connection transaction) throws SQLException {
        return transaction.setSavepoint();
    }

    /** Undoes what was done since. */
    default void undo(Connection transaction, Savepoint since) throws SQLException {
        transaction.rollback(since);
    }
}
