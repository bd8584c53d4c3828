// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A dialect that must configure each connection to make its commits durable. */
public interface DurableConnections {

    /** Configures a connection so that its commits are durable; called outside transactions. */
    void makeDurable(Connection connection) throws SQLException;

    /** Does this if the dialect requires it. */
    static void makeDurable(Dialect dialect, Connection connection) throws SQLException {
        if (dialect instanceof DurableConnections durable) {
            durable.makeDurable(connection);
        }
    }
}
