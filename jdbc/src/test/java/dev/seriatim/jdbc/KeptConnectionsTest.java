// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.connection.Connections;
import dev.seriatim.jdbc.connection.KeptConnections;
import dev.seriatim.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeptConnectionsTest {

    private static final String URL = "jdbc:h2:mem:kept";

    @Test
    void whoever_waits_for_a_connection_comes_before_whoever_takes_one_that_is_idle() throws Exception {
        try (Connection first = DriverManager.getConnection(URL)) {
            Dialect dialect = Dialects.of(first);
            KeptConnections kept = new KeptConnections(
                    () -> DriverManager.getConnection(URL), dialect, "kept", 1, Duration.ofSeconds(10));
            for (int round = 0; round < 200; round++) {
                Connections.Lease lease = kept.forWriting(soon());
                FutureTask<Connections.Lease> waiting = new FutureTask<>(() -> kept.forWriting(soon()));
                Thread waiter = new Thread(waiting);
                waiter.start();
                while (waiter.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                lease.release(true);
                assertThat(kept.idle()).isEmpty();
                waiting.get(10, TimeUnit.SECONDS).release(true);
            }
            kept.close();
        }
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    }
}
