// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Tells whether a transaction is open on a connection that is not in auto-commit mode, before its engine is known. */
@FunctionalInterface
public interface OpenTransactionCheck {

    /** Whether one is open. Looks without beginning or ending one, and without harm to one that is open. */
    boolean inTransaction(Connection connection) throws SQLException;
}
