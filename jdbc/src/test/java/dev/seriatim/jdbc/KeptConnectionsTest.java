// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.KeptConnections;
import dev.seriatim.jdbc.sql.LateLogin;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
                    () -> DriverManager.getConnection(URL),
                    dialect,
                    "kept",
                    1,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10));
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
                KeptConnections kept = new KeptConnections(
                        opener, dialect, "kept", most, Duration.ofSeconds(10), Duration.ofSeconds(10));
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
                            .hasMessageContaining("was free in time");
                    assertThat(callersFirst ? kept.idleForSharing() : kept.idle())
                            .isEmpty();
                    Connections.Lease other = callersFirst ? kept.forWriting(soon()) : kept.forSharing(soon());
                    assertThatThrownBy(() -> kept.forWriting(now())).hasMessageContaining("was free in time");
                    assertThatThrownBy(() -> kept.forCallers(now())).hasMessageContaining("was free in time");
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
                    Duration.ofSeconds(10),
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

    @Test
    void a_borrower_leaves_a_login_that_hangs_and_its_connection_is_kept_for_the_next() throws Exception {
        try (Connection first = DriverManager.getConnection(URL)) {
            CountDownLatch answered = new CountDownLatch(1);
            KeptConnections kept = hanging(first, answered);
            for (int login = 0; login < 2; login++) { // as many as there are turns
                assertThatThrownBy(() -> kept.forWriting(now()))
                        .isInstanceOf(LateLogin.class)
                        .hasMessageContaining("accepted the connection, but did not answer the login within 1");
            }
            assertThatThrownBy(() -> kept.forWriting(now())).isInstanceOf(LateLogin.class);
            answered.countDown();
            Connections.Lease lease = kept.forWriting(soon());
            assertThat(lease.connection().isValid(1)).isTrue();
            lease.release(true);
            kept.close();
        }
    }

    @Test
    void an_interrupted_borrower_leaves_a_login_that_hangs() throws Exception {
        try (Connection first = DriverManager.getConnection(URL)) {
            CountDownLatch answered = new CountDownLatch(1);
            KeptConnections kept = hanging(first, answered);
            FutureTask<Throwable> borrowing = new FutureTask<>(() -> catchThrowable(() -> kept.forCallers(soon())));
            Thread borrower = new Thread(borrowing);
            borrower.start();
            while (borrower.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            borrower.interrupt();
            assertThat(borrowing.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            answered.countDown();
            kept.forCallers(soon()).release(true);
            kept.close();
        }
    }

    @Test
    void a_login_that_hangs_for_longer_than_its_limit_gives_its_turn_back_and_its_connection_is_closed()
            throws Exception {
        try (Connection first = DriverManager.getConnection(URL)) {
            CountDownLatch answered = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            KeptConnections.Opener opener = new KeptConnections.Opener() {
                @Override
                public Connection open() throws SQLException {
                    return opened(answered);
                }

                @Override
                public void end(Connection connection) {
                    ended.countDown();
                }
            };
            KeptConnections kept = new KeptConnections(
                    opener, Dialects.of(first), "kept", 1, Duration.ofSeconds(1), Duration.ofMillis(1));
            for (int login = 0; login < 3; login++) { // one more than there are turns
                assertThatThrownBy(() -> kept.forWriting(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500)))
                        .isInstanceOf(LateLogin.class);
            }
            answered.countDown();
            assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
            kept.forWriting(soon()).release(true);
            kept.close();
        }
    }

    @Test
    void where_one_idle_connection_does_not_answer_the_others_are_not_asked() throws Exception {
        try (Connection first = DriverManager.getConnection(URL)) {
            AtomicInteger asked = new AtomicInteger();
            KeptConnections kept = new KeptConnections(
                    () -> silent(DriverManager.getConnection(URL), asked),
                    Dialects.of(first),
                    "kept",
                    4,
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(5));
            List<Connections.Lease> leases = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                leases.add(kept.forWriting(soon()));
            }
            leases.get(0).release(false); // so that those given back before are checked
            for (Connections.Lease lease : leases.subList(1, 4)) {
                lease.release(true);
            }
            kept.forWriting(soon()).release(false);
            long began = System.nanoTime();
            kept.forWriting(began + TimeUnit.SECONDS.toNanos(2)).release(true);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
            assertThat(asked).hasValue(1);
            kept.close();
        }
    }

    /** A connection whose server does not answer a check. */
    private static Connection silent(Connection connection, AtomicInteger asked) {
        return (Connection) Proxy.newProxyInstance(
                KeptConnectionsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("isValid")) {
                        asked.incrementAndGet();
                        TimeUnit.SECONDS.sleep((Integer) arguments[0]);
                        return false;
                    }
                    return method.invoke(connection, arguments);
                });
    }

    private static KeptConnections hanging(Connection first, CountDownLatch answered) throws SQLException {
        return new KeptConnections(
                () -> opened(answered), Dialects.of(first), "kept", 1, Duration.ofSeconds(1), Duration.ofMinutes(1));
    }

    private static Connection opened(CountDownLatch answered) throws SQLException {
        try {
            answered.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
        return DriverManager.getConnection(URL);
    }

    private static long now() {
        return System.nanoTime();
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    }
}
