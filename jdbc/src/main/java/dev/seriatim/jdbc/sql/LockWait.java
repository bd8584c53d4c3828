// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Limits how long one statement waits for a lock that another transaction holds, in the statement's own round trip.
 * Implementations are immutable and thread-safe.
 */
public interface LockWait {

    /** Waits as long as the engine's own settings allow. */
    LockWait UNBOUNDED = new LockWait() {};

    /** Returns the statement with the limit in its text. It takes the same parameters and returns the same rows. */
    default String bounded(String sql) {
        return sql;
    }

    /** Returns whether the wait ends when it should, rather than at the next full second or never. */
    default boolean exact() {
        return false;
    }

    default void bound(PreparedStatement statement) throws SQLException {}

    /** Limits the wait with the driver's query timeout, in whole seconds, rounded up; keeps a shorter one. */
    static LockWait byQueryTimeout(Duration atMost) {
        int seconds = (int) Math.min(
                Integer.MAX_VALUE / 1000, atMost.plusSeconds(1).minusNanos(1).toSeconds());
        return new LockWait() {
            @Override
            public void bound(PreparedStatement statement) throws SQLException {
                int own = statement.getQueryTimeout();
                if (own == 0 || own > seconds) {
                    statement.setQueryTimeout(seconds);
                }
            }
        };
    }
}
