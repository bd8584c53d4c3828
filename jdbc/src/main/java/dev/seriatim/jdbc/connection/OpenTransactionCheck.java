// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Detects an open transaction on a connection, before its engine is known. */
@FunctionalInterface
public interface OpenTransactionCheck {

    /** Returns whether one is open; in auto-commit mode, as far as the driver knows without asking the server. Neither begins nor ends a transaction, and does not affect an open one. */
    boolean inTransaction(Connection connection) throws SQLException;
}
