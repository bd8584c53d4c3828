// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server of one's own can be killed, restarted, suspended and set. */
class ServerTest {
    static Stream<Named<Function<Map<String, String>, Server>>> servers() {
        return Stream.of(
                Named.of("postgresql", Server::postgresql),
                Named.of("mariadb", Server::mariadb),
                Named.of("h2", settings -> Server.h2()));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void what_was_committed_outlives_a_kill(Function<Map<String, String>, Server> start) throws SQLException {
        try (Server server = start.apply(Map.of())) {
            // H2 by itself writes half a second later.
            Database database = durable(server.freshDatabase());
            database.execute("CREATE TABLE kept (n INTEGER PRIMARY KEY)", "INSERT INTO kept VALUES (7)");

            server.kill();
            assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
            server.restart();

            assertThat(database.number("SELECT n FROM kept")).isEqualTo(7);
        }
    }

    private static Database durable(Database database) {
        return database.url().startsWith("jdbc:h2:") ? database.option("WRITE_DELAY", "0") : database;
    }

    @ParameterizedTest
    @MethodSource("servers")
    void a_suspended_server_answers_once_it_is_resumed(Function<Map<String, String>, Server> start) throws Exception {
        try (Server server = start.apply(Map.of())) {
            Database database = server.freshDatabase();
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                server.suspend();
                CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> {
                    try {
                        return statement.execute("SELECT 1");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
                assertThatThrownBy(() -> answer.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
                server.resume();

                assertThat(answer.get(10, TimeUnit.SECONDS)).isTrue();
            }
        }
    }
}
