// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.SQLTimeoutException;
import java.time.Duration;

/** Thrown when a driver has not logged in in time. */
public final class LateLogin extends SQLTimeoutException {

    private static final long serialVersionUID = 1L;

    /** The remedy if the server has accepted the connection. */
    public static final String REMEDY = """
            check that the port is the database's, and that the server, or a proxy before it, is neither stopped nor \
            overloaded""";

    private static final String NO_CONNECTION = "08001";

    private final Duration waited;
    private final boolean connected;

    /** @param connected whether the server has accepted the connection */
    public LateLogin(Duration waited, boolean connected) {
        super(
                (connected
                                ? "it accepted the connection, but did not answer the login within "
                                : "not connected within ")
                        + waited.toMillis() + " ms",
                NO_CONNECTION);
        this.waited = waited;
        this.connected = connected;
    }

    public Duration waited() {
        return waited;
    }

    public boolean connected() {
        return connected;
    }
}
