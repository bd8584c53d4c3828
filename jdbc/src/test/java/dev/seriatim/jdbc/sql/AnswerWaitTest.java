// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerWaitTest {

    /** H2's driver takes the limit and ignores it; SQLite's has none. */
    @ParameterizedTest
    @CsvSource({"POSTGRESQL, true", "MARIADB, true", "H2, false", "SQLITE, false"})
    void a_wait_is_bounded_if_the_driver_keeps_the_limit(Engine engine, boolean bounded) throws Exception {
        engine.assume();
        try (Connection connection = engine.freshDatabase().connect()) {
            int before = connection.getNetworkTimeout();
            try (AnswerWait wait = AnswerWait.atMost(connection, Duration.ofMillis(700))) {
                assertThat(wait.isBounded()).isEqualTo(bounded);
                assertThat(connection.getNetworkTimeout()).isEqualTo(bounded ? 700 : before);
                try (AnswerWait longer = AnswerWait.atMost(connection, Duration.ofSeconds(1))) {
                    assertThat(longer.isBounded()).isEqualTo(bounded);
                    assertThat(connection.getNetworkTimeout())
                            .as("the shorter one counts")
                            .isEqualTo(bounded ? 700 : before);
                }
            }
            assertThat(connection.getNetworkTimeout()).isEqualTo(before);
        }
    }
}
