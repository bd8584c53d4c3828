// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedCommands;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the emulator instructions of the pages: starts it as they say, but on other ports, and runs each of their
 * commands twice.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
@Tag("long")
class EmulatorRecipeTest {

    @TempDir
    private Path folder;

    @Test
    void the_emulator_starts_and_every_command_runs_twice() throws Exception {
        assumeTrue(SpannerEmulator.missing().isEmpty(), "skipped: the Spanner emulator is not installed");
        assumeTrue(isThere("gcloud") && isThere("curl"), "skipped: gcloud or curl is not installed");
        int port = freePort();
        int rest = freePort();
        Process emulator = started(port, rest);
        try {
            Map<String, String> places =
                    Map.of("localhost:9010", "localhost:" + port, "localhost:9020", "localhost:" + rest);
            for (Fence fence : thoseOfTheRecipesPageFirst()) {
                FencedCommands commands = FencedCommands.of(fence.with(places)).cutDown();
                for (int time = 1; time <= 2; time++) {
                    // The launcher sets this too.
                    ProgramRun run =
                            commands.run(folder, Map.of("GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW", "false"));
                    assertThat(run.code())
                            .as(fence + ": " + run.out() + run.err())
                            .isZero();
                }
            }
        } finally {
            end(emulator);
        }
    }

    /** The other pages assume that the database exists. */
    private static List<Fence> thoseOfTheRecipesPageFirst() {
        String recipe = Fence.of("sh emulator").get(0).page();
        return Fence.of("sh spanner").stream()
                .sorted(Comparator.comparing(fence -> !fence.page().equals(recipe)))
                .toList();
    }

    private Process started(int port, int rest) throws IOException, InterruptedException {
        List<Fence> starts = Fence.of("sh emulator");
        assertThat(starts).hasSize(1);
        String command = starts.get(0).text().strip() + " --host-port=localhost:" + port + " --rest-port=" + rest;
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", "exec " + command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("emulator.log").toFile());
        shell.environment().put("CLOUDSDK_CONFIG", folder.resolve("gcloud").toString());
        shell.environment().put("CLOUDSDK_CORE_DISABLE_PROMPTS", "1");
        Process emulator = shell.start();
        for (int pause = 0; !listens(rest) || !listens(port); pause++) {
            if (!emulator.isAlive() || pause > 600) {
                end(emulator);
                throw new AssertionError("no emulator: " + Files.readString(folder.resolve("emulator.log")));
            }
            Thread.sleep(200);
        }
        return emulator;
    }

    /** Its processes are a shell, a script, a gateway and a server. */
    private static void end(Process emulator) throws InterruptedException {
        List<ProcessHandle> all = Stream.concat(emulator.descendants(), Stream.of(emulator.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        emulator.waitFor();
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("localhost", port), 1000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean isThere(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }
}
