// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import java.sql.SQLTimeoutException;
import java.time.Duration;

/** Thrown when a driver has not logged in in time. */
public final class LateLogin extends SQLTimeoutException {

    private static final long serialVersionUID = 1L;

    private static final String NO_CONNECTION = "08001";

    private final boolean connected;

    /**
     * @param connected whether the server has accepted the connection
     */
    public LateLogin(Duration limit, boolean connected) {
        super(
                (connected
                                ? "it accepted the connection, but did not answer the login within "
                                : "not connected within ")
                        + limit.toMillis() + " ms",
                NO_CONNECTION);
        this.connected = connected;
    }

    /** Returns whether the server has accepted the connection. */
    public boolean connected() {
        return connected;
    }
}
