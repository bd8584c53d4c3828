// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A dialect on which a rollback may take back what others have committed. */
public interface RollbackPreflight {

    /**
     * What lets it: numbers are then not dealt inside callers' transactions.
     *
     * @return what is wrong: each a line that names the cause and the remedy; empty where a rollback is one transaction's
     */
    List<String> rollbackPreflight(Connection connection) throws SQLException;

    /** The same; empty where the dialect has none. */
    static List<String> problems(Dialect dialect, Connection connection) throws SQLException {
        return dialect instanceof RollbackPreflight own ? own.rollbackPreflight(connection) : List.of();
    }
}
