// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A dialect whose commits are durable on connections that have been told so. */
public interface DurableConnections {

    /** Sets what a connection needs so that its commits are durable; called outside of transactions. */
    void makeDurable(Connection connection) throws SQLException;

    /** The same where the dialect has it. */
    static void makeDurable(Dialect dialect, Connection connection) throws SQLException {
        if (dialect instanceof DurableConnections durable) {
            durable.makeDurable(connection);
        }
    }
}
