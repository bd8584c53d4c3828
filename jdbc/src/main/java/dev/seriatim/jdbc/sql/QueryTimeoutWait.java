// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Limits the wait with the driver's query timeout, in whole seconds, rounded up; keeps a shorter one. */
public record QueryTimeoutWait(Duration atMost) implements LockWait {

    @Override
    public void bound(PreparedStatement statement) throws SQLException {
        int seconds = (int) Math.min(
                Integer.MAX_VALUE / 1000, atMost.plusSeconds(1).minusNanos(1).toSeconds());
        int own = statement.getQueryTimeout();
        if (own == 0 || own > seconds) {
            statement.setQueryTimeout(seconds);
        }
    }
}
