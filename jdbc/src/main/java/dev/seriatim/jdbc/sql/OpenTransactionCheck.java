// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Detects an open transaction on a connection, before its engine is known. */
@FunctionalInterface
public interface OpenTransactionCheck {

    /** Returns whether one is open, without affecting it. In auto-commit mode, asks the driver alone, not the server. */
    boolean inTransaction(Connection connection) throws SQLException;
}
