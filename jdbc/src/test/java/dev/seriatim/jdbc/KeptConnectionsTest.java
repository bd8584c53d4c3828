// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.jdbc.connection.Connections;
import dev.seriatim.jdbc.connection.KeptConnections;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.failure.NoTurn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void reservations_and_callers_transactions_each_have_as_many_as_are_kept_and_one_more_together() throws Exception {
        try (Connection first = DriverManager.getConnection(URL)) {
            Dialect dialect = Dialects.of(first);
            AtomicInteger open = new AtomicInteger();
            AtomicInteger highest = new AtomicInteger();
            for (int most : new int[] {1, 4}) {
                KeptConnections.Opener opener = new KeptConnections.Opener() {
                    @Override
                    public Connection open() throws SQLException {
                        highest.accumulateAndGet(open.incrementAndGet(), Math::max);
                        return DriverManager.getConnection(URL);
                    }

                    @Override
                    public void end(Connection connection) {
                        open.decrementAndGet();
                        KeptConnections.Opener.super.end(connection);
                    }
                };
                KeptConnections kept = new KeptConnections(opener, dialect, "kept", most, Duration.ofSeconds(10));
                for (boolean callersFirst : new boolean[] {true, false}) {
                    List<Connections.Lease> leases = new ArrayList<>();
                    for (int i = 0; i < most; i++) {
                        leases.add(callersFirst ? kept.forCallers(soon()) : kept.forWriting(soon()));
                    }
                    assertThatThrownBy(() -> {
                                Connections.Lease tooMany =
                                        callersFirst ? kept.forSharing(now()) : kept.forReading(now());
                                leases.add(tooMany);
                            })
                            .isInstanceOf(NoTurn.class);
                    assertThat(callersFirst ? kept.idleForSharing() : kept.idle())
                            .isEmpty();
                    Connections.Lease other = callersFirst ? kept.forWriting(soon()) : kept.forSharing(soon());
                    assertThatThrownBy(() -> kept.forWriting(now())).isInstanceOf(NoTurn.class);
                    assertThatThrownBy(() -> kept.forCallers(now())).isInstanceOf(NoTurn.class);
                    assertThat(kept.idle()).isEmpty();
                    assertThat(kept.idleForSharing()).isEmpty();
                    other.release(true);
                    leases.forEach(lease -> lease.release(true));
                    kept.idle().orElseThrow().release(true);
                    kept.idleForSharing().orElseThrow().release(true);
                }
                assertThat(highest).hasValue(most + 1);
                kept.close();
                assertThat(open).hasValue(0);
            }
        }
    }

    @Test
    void a_connection_that_cannot_be_opened_takes_no_turn() throws Exception {
        try (Connection first = DriverManager.getConnection(URL)) {
            KeptConnections kept = new KeptConnections(
                    () -> {
                        throw new SQLException("none");
                    },
                    Dialects.of(first),
                    "kept",
                    1,
                    Duration.ofSeconds(10));
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> kept.forWriting(soon())).hasMessage("none");
                assertThatThrownBy(() -> kept.forSharing(soon())).hasMessage("none");
                assertThat(kept.idle()).isEmpty();
                assertThat(kept.idleForSharing()).isEmpty();
            }
            kept.close();
        }
    }

    private static long now() {
        return System.nanoTime();
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    }
}
