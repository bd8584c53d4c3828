// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JVMs of one build share a server, which ends with the build. */
class BuildTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    /** Stands in for Maven: starts JVMs, two at the same time and then another, and waits to be killed. */
    static final class StandIn {
        public static void main(String[] arguments) throws IOException {
            end(List.of(start(arguments[0]), start(arguments[0])));
            end(List.of(start(arguments[0])));
            System.out.println("done");
            System.in.read();
        }

        private static Process start(String folder) throws IOException {
            return java("-Dseriatim.build.folder=" + folder, Module.class.getName())
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        private static void end(List<Process> modules) {
            for (Process module : modules) {
                int code = module.onExit().join().exitValue();
                if (code != 0) {
                    throw new IllegalStateException("a module ended with " + code);
                }
            }
        }
    }

    /** Adds a row on the shared server, and prints the number of rows and the server's location. */
    static final class Module {
        public static void main(String[] arguments) throws SQLException {
            Database database =
                    new SharedServers(new H2Software()).create("counted").get(0);
            database.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER)", "INSERT INTO t VALUES (1)");
            System.out.println(database.number("SELECT COUNT(*) FROM t") + " " + database.hostAndPort());
        }
    }

    @Test
    void modules_share_a_server_that_goes_with_a_build_that_is_killed() throws IOException {
        Process build = java(StandIn.class.getName(), folder.toString()).start();
        var output = new BufferedReader(new InputStreamReader(build.getInputStream(), StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        for (int line = 0; line < 4; line++) {
            lines.add(Objects.requireNonNull(output.readLine()));
        }
        String place = lines.get(2).replaceFirst("^3 ", "");
        assertThat(lines.subList(0, 2)).contains("2 " + place).isSubsetOf("1 " + place, "2 " + place);
        assertThat(lines.get(2)).isEqualTo("3 " + place);
        assertThat(lines).last().isEqualTo("done");
        assertThat(folder).isNotEmptyDirectory();
        int port = Integer.parseInt(place.substring(place.indexOf(':') + 1));
        assertThat(Ports.isFree(port)).isFalse();

        build.destroyForcibly();

        Waiting.until(PATIENCE, "the port of the server", () -> Ports.isFree(port));
    }

    private static ProcessBuilder java(String... arguments) {
        ProcessBuilder java = ProgramRun.java("-cp", System.getProperty("java.class.path"));
        java.command().addAll(List.of(arguments));
        return java.redirectError(ProcessBuilder.Redirect.INHERIT);
    }
}
