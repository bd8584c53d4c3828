// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * How long a connection waits for an answer of its server: as long as it is open. A shorter network timeout of the connection's
 * own holds. When it ends, the driver closes the connection. Asks nothing of the server.
 *
 * <p>Not thread-safe, as the connection is not.
 */
final class AnswerWait implements AutoCloseable {

    private static final int NOT_SET = -1;

    private final Connection connection;
    private final int before;

    private AnswerWait(Connection connection, int before) {
        this.connection = connection;
        this.before = before;
    }

    /** Bounds it; does nothing on a connection that has no network timeout. */
    static AnswerWait atMost(Connection connection, Duration time) {
        int millis = (int) Math.min(Integer.MAX_VALUE, time.toMillis());
        try {
            int before = connection.getNetworkTimeout();
            boolean shorter = before > 0 && before <= millis;
            if (!shorter) {
                connection.setNetworkTimeout(Runnable::run, millis);
            }
            return new AnswerWait(connection, shorter ? NOT_SET : before);
        } catch (SQLException | AbstractMethodError none) {
            return new AnswerWait(connection, NOT_SET); // the statement says whether the connection is of use
        }
    }

    @Override
    public void close() {
        if (before != NOT_SET) {
            try {
                connection.setNetworkTimeout(Runnable::run, before);
            } catch (SQLException closed) {
                // Then it waits for nothing any more.
            }
        }
    }
}
