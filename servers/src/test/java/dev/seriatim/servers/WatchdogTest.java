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
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server does not outlive its JVM, even one that had no time for its shutdown hooks. */
class WatchdogTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Starts a server, says where it is, and waits to be killed. */
    static final class Victim {
        public static void main(String[] arguments) throws IOException {
            Server server = Server.h2();
            System.out.println(server.port());
            System.out.println(server.folder());
            System.in.read();
        }
    }

    @Test
    void a_server_goes_with_a_jvm_that_is_killed() throws IOException {
        goesWith(victim());
    }

    @Test
    void a_server_goes_with_a_jvm_whose_path_is_gone_by_then(@TempDir Path temporary) throws IOException {
        Path programs = Files.createDirectory(temporary.resolve("programs"));
        Files.createSymbolicLink(programs.resolve("sh"), Path.of("/bin/sh"));
        ProcessBuilder victim = victim();
        victim.environment().put("PATH", programs.toString());
        goesWith(victim);
    }

    private static ProcessBuilder victim() {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static void goesWith(ProcessBuilder victim) throws IOException {
        Process jvm = victim.start();
        var output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        int port = Integer.parseInt(output.readLine());
        Path folder = Path.of(Objects.requireNonNull(output.readLine()));
        assertThat(Ports.isFree(port)).isFalse();

        jvm.destroyForcibly();

        Waiting.until(PATIENCE, "the port of the server", () -> Ports.isFree(port));
        Waiting.until(PATIENCE, "the end of its folder", () -> !Files.exists(folder));
    }
}
