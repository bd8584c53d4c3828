// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Limits how long a connection waits for its server's answer, while this is open. A shorter network timeout takes
 * precedence. When the time expires, the driver closes the connection. Makes no round trip.
 */
public final class AnswerWait implements AutoCloseable {

    private static final int NOT_SET = -1;

    private final Connection connection;
    private final int before;
    private final boolean bounded;

    private AnswerWait(Connection connection, int before, boolean bounded) {
        this.connection = connection;
        this.before = before;
        this.bounded = bounded;
    }

    /** Sets the limit; does nothing if the connection has no network timeout. */
    public static AnswerWait atMost(Connection connection, Duration time) {
        int millis = (int) Math.min(Integer.MAX_VALUE, time.toMillis());
        try {
            int before = connection.getNetworkTimeout();
            boolean shorter = before > 0 && before <= millis;
            if (shorter) {
                return new AnswerWait(connection, NOT_SET, true);
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            boolean set = connection.getNetworkTimeout() == millis; // H2 ignores it without saying so
            return new AnswerWait(connection, before, set);
        } catch (SQLException | AbstractMethodError none) {
            return new AnswerWait(connection, NOT_SET, false); // the statement shows whether the connection is usable
        }
    }

    boolean isBounded() {
        return bounded;
    }

    @Override
    public void close() {
        if (before != NOT_SET) {
            try {
                connection.setNetworkTimeout(Runnable::run, before);
            } catch (SQLException closed) {
                // Then nothing waits on it any more.
            }
        }
    }
}
