// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.jdbc.failure.ExhaustedPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The calls that are waiting for a connection from a data source. A pool reports exhaustion only after its own
 * timeout, which may be much longer than a caller's patience.
 *
 * <p>Thread-safe.
 */
final class ConnectionWaits {

    /** One call; compared by identity. */
    private static final class Wait {
        private final long began = System.nanoTime();
    }

    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

    /** Like {@link DataSource#getConnection()}, and records the call while it is in progress. */
    Connection connection(DataSource source) throws SQLException {
        Wait wait = new Wait();
        waits.add(wait);
        try {
            return source.getConnection();
        } finally {
            waits.remove(wait);
        }
    }

    /** Returns what these calls wait for, if the first has waited for at least {@code atLeast}. */
    Optional<String> lasting(Duration atLeast, String database) {
        long now = System.nanoTime();
        int calls = 0;
        long longest = -1;
        for (Wait wait : waits) {
            calls++;
            longest = Math.max(longest, now - wait.began);
        }
        if (calls == 0 || longest < atLeast.toNanos()) {
            return Optional.empty();
        }
        return Optional.of("a connection of the data source of " + database
                + " (calls of this store waiting for one: "
                + calls + ", the first since " + TimeUnit.NANOSECONDS.toMillis(longest)
                + " ms), so its pool is exhausted or cannot connect; if it is exhausted, " + ExhaustedPool.REMEDY
                + "; if not, check that the server runs and is reachable");
    }
}
