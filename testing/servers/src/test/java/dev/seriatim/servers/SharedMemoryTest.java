// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** PostgreSQL's shared memory is removed with a killed server: a machine has room for a few thousand segments. */
class SharedMemoryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Starts a server, prints its location, and waits to be killed. */
    static final class Victim {
        public static void main(String[] arguments) throws IOException {
            System.out.println(Server.postgresql(Map.of()).folder());
            System.in.read();
        }
    }

    @Test
    void a_server_that_is_closed_leaves_none() throws IOException {
        Server server = Server.postgresql(Map.of());
        String segment = segment(server.folder());
        assertThat(segments()).contains(segment);

        server.close();

        assertThat(segments()).doesNotContain(segment);
    }

    @Test
    void a_server_that_is_killed_and_restarted_and_killed_leaves_none() throws IOException {
        Server server = Server.postgresql(Map.of());
        String first = segment(server.folder());
        server.kill();
        server.restart();
        String second = segment(server.folder());
        server.kill();

        assertThat(segments()).doesNotContain(first, second);
        server.close();
    }

    @Test
    void a_server_leaves_none_that_is_killed_with_its_jvm() throws IOException {
        Assumptions.assumeTrue(Commands.find("setsid").isPresent(), "skipped: setsid is not installed");
        Engine.POSTGRESQL.assume();
        ProcessBuilder java = ProgramRun.java("-cp", System.getProperty("java.class.path"), Victim.class.getName());
        java.command().add(0, "setsid");
        Process jvm = java.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        Path folder = Path.of(Objects.requireNonNull(output.readLine()));
        String segment = segment(folder);

        Commands.run(List.of("sh", "-c", "kill -s KILL -- -" + jvm.pid()));

        Waiting.until(PATIENCE, "the deletion of its folder", () -> !Files.exists(folder));
        assertThat(segments()).doesNotContain(segment);
    }

    @Test
    void a_server_has_no_other_outside_its_folder() throws IOException {
        try (Server server = Server.postgresql(Map.of())) {
            String process = lock(server.folder()).get(0);

            List<String> mapped = Files.readAllLines(Path.of("/proc", process, "maps"));

            assertThat(mapped).anyMatch(line -> line.contains(server.folder() + "/data/pg_dynshmem/"));
            assertThat(mapped).noneMatch(line -> line.contains("/dev/shm/"));
        }
    }

    private static String segment(Path folder) throws IOException {
        String[] keyAndId = lock(folder).get(6).strip().split(" +", -1);
        return keyAndId[1];
    }

    private static List<String> lock(Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("data").resolve("postmaster.pid"));
    }

    private static List<String> segments() throws IOException {
        return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream()
                .map(line -> line.strip().split(" +", -1)[1])
                .toList();
    }
}
