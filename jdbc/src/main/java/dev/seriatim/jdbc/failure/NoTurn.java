// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import java.sql.SQLException;

/** No connection, or no turn on the only one that may write, came free in time. */
public final class NoTurn extends SQLException {

    private static final long serialVersionUID = 1L;

    public NoTurn(String database) {
        super("no turn on " + database);
    }
}
