// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Unavailable;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoginWaitTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final CountDownLatch closed = new CountDownLatch(1);

    private Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                LoginWaitTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("close");
                    closed.countDown();
                    return null;
                });
    }

    @Test
    void what_is_opened_in_time_is_returned_and_what_is_thrown_is_thrown() throws SQLException {
        Connection connection = connection();
        assertThat(LoginWait.atMost(LONG, () -> connection) == connection).isTrue();
        assertThat(closed.getCount()).isEqualTo(1);
        SQLException refused = new SQLException("refused");
        assertThatThrownBy(() -> LoginWait.atMost(LONG, () -> {
                    throw refused;
                }))
                .isSameAs(refused);
        IllegalStateException wrong = new IllegalStateException("wrong");
        assertThatThrownBy(() -> LoginWait.atMost(LONG, () -> {
                    throw wrong;
                }))
                .isSameAs(wrong);
        Error missing = new NoClassDefFoundError("of the driver");
        assertThatThrownBy(() -> LoginWait.atMost(LONG, () -> {
                    throw missing;
                }))
                .isSameAs(missing);
    }

    @Test
    void what_is_opened_too_late_is_closed() throws InterruptedException {
        CountDownLatch given = new CountDownLatch(1);
        assertThatThrownBy(() -> LoginWait.atMost(Duration.ofMillis(1), () -> {
                    awaitUninterrupted(given);
                    return connection();
                }))
                .isInstanceOf(LateLogin.class);
        given.countDown();
        assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void an_interruption_ends_the_wait_but_not_the_login() throws InterruptedException {
        CountDownLatch given = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> LoginWait.atMost(LONG, () -> {
                    awaitUninterrupted(given);
                    return connection();
                }))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("interrupted while waiting for a login");
        assertThat(Thread.interrupted()).isTrue();
        given.countDown();
        assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
    }

    private static void awaitUninterrupted(CountDownLatch latch) throws SQLException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }
}
