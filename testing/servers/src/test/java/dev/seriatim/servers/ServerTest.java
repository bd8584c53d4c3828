// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A separate server can be killed, restarted, suspended and configured. */
class ServerTest {
    private static final Map<Engine, Server> SERVERS = new EnumMap<>(Engine.class);

    @AfterAll
    static void close() {
        SERVERS.values().forEach(Server::close);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
    void what_was_committed_outlives_a_kill(Engine engine) throws SQLException {
        Server server = server(engine);
        Database database = durable(server.freshDatabase());
        database.execute("CREATE TABLE kept (n INTEGER PRIMARY KEY)", "INSERT INTO kept VALUES (7)");

        server.kill();
        assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
        server.restart();

        assertThat(database.number("SELECT n FROM kept")).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
    void a_suspended_server_answers_once_it_is_resumed(Engine engine) throws Exception {
        Server server = server(engine);
        try (var connection = server.freshDatabase().connect();
                var statement = connection.createStatement()) {
            server.suspend();
            CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> ask(statement));
            try {
                assertThatThrownBy(() -> answer.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            } finally {
                server.resume(); // or closing the connection hangs
            }
            assertThat(answer.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void its_settings_win_over_ours(Engine engine) throws SQLException {
        Database database = server(engine).freshDatabase();

        assertThat(database.number(
                        engine == Engine.POSTGRESQL
                                ? "SELECT setting FROM pg_settings WHERE name = 'max_connections'"
                                : "SELECT @@max_connections"))
                .isEqualTo(77);
    }

    @Test
    void one_that_starts_leaves_the_temporary_tables_of_another_alone() throws SQLException {
        try (var connection = server(Engine.MARIADB).freshDatabase().connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE kept (n INTEGER) ENGINE = Aria");
            statement.execute("INSERT INTO kept VALUES (7)");

            Server.mariadb(Map.of()).close();

            assertThatCode(() -> statement.execute("DROP TEMPORARY TABLE kept")).doesNotThrowAnyException();
        }
    }

    private static Server server(Engine engine) {
        return SERVERS.computeIfAbsent(engine, ServerTest::start);
    }

    private static Server start(Engine engine) {
        return switch (engine) {
            case POSTGRESQL -> Server.postgresql(Map.of("max_connections", "77"));
            case MARIADB -> Server.mariadb(Map.of("max-connections", "77"));
            case MYSQL -> Server.mysql(Map.of());
            case H2 -> Server.h2();
            case SQLITE, GALERA, SQLSERVER -> throw new IllegalArgumentException("no server: " + engine);
        };
    }

    private static Database durable(Database database) {
        // By default, H2 writes half a second later.
        return database.url().startsWith("jdbc:h2:") ? database.option("WRITE_DELAY", "0") : database;
    }

    private static boolean ask(Statement statement) {
        try {
            return statement.execute("SELECT 1");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
