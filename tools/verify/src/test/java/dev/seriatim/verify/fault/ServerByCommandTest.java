// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real servers, killed and stopped by the command that runs them. */
@Timeout(120)
@Tag("long")
class ServerByCommandTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private static boolean answers(Database database) {
        try {
            return database.number("SELECT 1") == 1;
        } catch (SQLException e) {
            return false;
        }
    }

    @Test
    void postgresql_is_killed_and_restarted_three_times_and_keeps_what_was_committed() throws Exception {
        try (Server server = Server.postgresql(Map.of())) {
            killedAndStopped(server, "exec " + server.shellCommand());
        }
    }

    @Test
    void mariadb_is_killed_and_restarted_three_times_and_keeps_what_was_committed() throws Exception {
        try (Server server = Server.mariadb(Map.of())) {
            killedAndStopped(server, "exec " + server.shellCommand());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "%s; echo ended"})
    @EnabledIfSystemProperty(
            named = "seriatim.trials",
            matches = "soak",
            disabledReason = "takes long; -Dseriatim.trials=soak runs it")
    void a_script_that_runs_postgresql_is_as_good(String content) throws Exception {
        try (Server server = Server.postgresql(Map.of())) {
            Path script = folder.resolve("run-server");
            Files.writeString(script, "#!/bin/sh\ncd /\n" + content.formatted(server.shellCommand()) + "\n");
            killedAndStopped(server, "sh '" + script + "'");
        }
    }

    private void killedAndStopped(Server server, String command) throws Exception {
        Database database = server.freshDatabase();
        database.execute("CREATE TABLE t (n INTEGER)");
        server.kill();
        try (ServerCommand started =
                new ServerCommand(command, folder.resolve("log"), () -> answers(database), PATIENCE)) {
            started.start();
            InjectedFault killed = ProcessFaults.kill(started);
            for (int round = 1; round <= 3; round++) {
                try (Connection connection = database.connect()) {
                    database.execute("INSERT INTO t VALUES (" + round + ")");
                    killed.injection().inject(RandomGenerator.getDefault());
                    assertThat(connection.isValid(5)).isFalse();
                }
                assertThat(database.number("SELECT COUNT(*) FROM t")).isEqualTo(round);
            }
            stopped(started, database);
        }
        assertThat(answers(database)).isFalse();
    }

    private static void stopped(ServerCommand server, Database database) throws Exception {
        server.suspend();
        CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> answers(database));
        Assertions.assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        server.resume();
        assertThat(answer.get(20, TimeUnit.SECONDS)).isTrue();
    }
}
