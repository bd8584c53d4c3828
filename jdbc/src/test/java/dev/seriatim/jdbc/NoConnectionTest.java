// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.StoreDriver;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people are told when no connection comes about. */
class NoConnectionTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=pw%S3cret",
                "jdbc:postgresql//127.0.0.1:1/db?user=u&password=pwS3cret",
            })
    void a_url_that_no_driver_takes_may_be_misspelt(String url) {
        assertThatThrownBy(() -> StoreDriver.open(url))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll(
                        "no JDBC driver on the class path",
                        "takes",
                        "spelling",
                        "a % in a value is written %25",
                        "or add the driver's jar")
                .hasMessageNotContaining("S3cret");
    }

    private static void refused(String url, String why) {
        assertThatThrownBy(() -> StoreDriver.open(url))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("refuses this connection", why, "check the URL's user, password and options")
                .hasMessageNotContaining("server runs")
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_server_that_answers_and_refuses_is_not_looked_for() {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            refused(database.option("sslmode", "require").url(), "does not support SSL");
            refused(database.option("options", "-c no_such=1").url(), "no_such");
            refused(database.option("options", "-c lock_timeout=soon").url(), "lock_timeout");
        }
    }

    @Test
    void an_option_that_h2_does_not_know_is_named() {
        refused(Engine.H2.freshDatabase().url() + ";NO_SUCH=1", "NO_SUCH");
    }
}
