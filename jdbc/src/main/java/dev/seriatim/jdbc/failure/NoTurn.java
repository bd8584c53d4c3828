// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import java.sql.SQLException;

/** Thrown when no connection, or no turn on the single writer connection, became free in time. */
public final class NoTurn extends SQLException {

    private static final long serialVersionUID = 1L;

    public NoTurn(String database) {
        super("no free turn on " + database);
    }
}
