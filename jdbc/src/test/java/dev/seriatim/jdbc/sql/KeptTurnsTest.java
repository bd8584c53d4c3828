// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.jdbc.h2.H2Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeptTurnsTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Dialect dialect = new H2Dialect();
    private final SessionChange changes = new SessionChange(dialect);
    private final AtomicBoolean fails = new AtomicBoolean();

    private WatchedConnection watched(Connection connection) {
        if (fails.get()) {
            throw new NoClassDefFoundError("for/the/Test");
        }
        return new WatchedConnection(connection, changes);
    }

    @Test
    void a_connection_that_cannot_be_lent_returns_its_turn_once() throws Exception {
        KeptConnections kept = new KeptConnections(
                () -> DriverManager.getConnection("jdbc:h2:mem:"), dialect, this::watched, "kept", 1, LIMIT, LIMIT);
        fails.set(true);
        assertThatThrownBy(() -> kept.forCallers(in(LIMIT))).isInstanceOf(NoClassDefFoundError.class);
        fails.set(false);
        Connections.Lease only = kept.forCallers(in(LIMIT));
        assertThatThrownBy(() -> kept.forCallers(in(Duration.ofMillis(100))))
                .isInstanceOfSatisfying(
                        ClassifiedException.class, e -> assertThat(e.fault()).isEqualTo(Fault.NO_TURN));
        only.release(true);
        kept.close();
    }

    private static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }
}
