// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A dialect on which a rollback may undo what other transactions have committed. */
public interface RollbackPreflight {

    /**
     * Returns what causes this: if anything does, numbers are not dealt inside callers' transactions.
     *
     * @return the problems, each a line with the cause and the remedy; empty if a rollback affects only its own
     *     transaction
     */
    List<String> rollbackPreflight(Connection connection) throws SQLException;

    /** Returns the dialect's problems; empty if it does not implement this interface. */
    static List<String> problems(Dialect dialect, Connection connection) throws SQLException {
        return dialect instanceof RollbackPreflight own ? own.rollbackPreflight(connection) : List.of();
    }
}
