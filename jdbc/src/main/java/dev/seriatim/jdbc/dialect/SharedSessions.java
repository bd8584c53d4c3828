// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;

/**
 * A dialect between whose driver and server a pooler may stand that lends a session to each transaction. The next session does not know
 * the statements that the driver has named in the last one, or knows another program's by the same names.
 */
public interface SharedSessions {

    /**
     * Has the driver name no statements in the server, if a pooler stands between.
     *
     * @return restores the driver's setting
     */
    Runnable nameNothing(Connection connection);

    /** Does the same for a dialect that needs it. */
    static Runnable nameNothing(Dialect dialect, Connection connection) {
        return dialect instanceof SharedSessions own ? own.nameNothing(connection) : () -> {};
    }
}
