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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server does not outlive its JVM, even if the JVM cannot run its shutdown hooks. */
@Tag("long")
class WatchdogTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Starts servers, prints their locations, and waits to be killed. */
    static final class Victim {
        public static void main(String[] arguments) throws IOException {
            Server left = Server.h2();
            left.leaveTo(ProcessHandle.current());
            Server own = Server.h2();
            for (Server server : List.of(own, left)) {
                System.out.println(server.port());
                System.out.println(server.folder());
            }
            System.in.read();
        }
    }

    /** Creates databases in files, prints their locations, and waits to be killed. */
    static final class Filing {
        public static void main(String[] arguments) throws IOException {
            System.out.println(Engine.SQLITE.freshDatabase().name());
            System.out.println(H2Files.freshDatabase().name());
            System.in.read();
        }
    }

    @Test
    void databases_in_files_go_with_a_jvm_that_is_killed() throws IOException {
        Process jvm = java(Filing.class).start();
        var output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        List<Path> folders = new ArrayList<>();
        for (int database = 0; database < 2; database++) {
            Path file = Path.of(Objects.requireNonNull(output.readLine()));
            folders.add(Objects.requireNonNull(file.getParent()));
        }
        assertThat(folders).allMatch(Files::isDirectory);

        jvm.destroyForcibly();

        Waiting.until(
                PATIENCE,
                "the deletion of their folders",
                () -> folders.stream().noneMatch(Files::exists));
    }

    @Test
    void servers_go_with_a_jvm_that_is_killed() throws IOException {
        Process jvm = victim().start();

        goWith(jvm, jvm::destroyForcibly);
    }

    @Test
    void servers_go_with_a_jvm_whose_path_is_gone_by_then(@TempDir Path temporary) throws IOException {
        Path programs = Files.createDirectory(temporary.resolve("programs"));
        Files.createSymbolicLink(programs.resolve("sh"), Path.of("/bin/sh"));
        ProcessBuilder victim = victim();
        victim.environment().put("PATH", programs.toString());
        Process jvm = victim.start();

        goWith(jvm, jvm::destroyForcibly);
    }

    /** As in a container whose first process does not reap children. */
    @Test
    void servers_go_with_a_jvm_whose_end_nobody_waits_for() throws IOException {
        Process careless = victim("sh", "-c", "exec 3<&0; \"$@\" <&3 & exec sleep 100", "sh")
                .start();
        try {
            goWith(careless, () -> careless.children().forEach(ProcessHandle::destroyForcibly));
        } finally {
            careless.destroyForcibly();
        }
    }

    @Test
    void servers_go_with_a_jvm_whose_temporary_files_are_behind_a_link(@TempDir Path temporary) throws IOException {
        Path files = Files.createDirectory(temporary.resolve("files"));
        Path link = Files.createSymbolicLink(temporary.resolve("link"), files);
        ProcessBuilder victim = victim();
        victim.command().add(1, "-Djava.io.tmpdir=" + link);
        Process jvm = victim.start();

        goWith(jvm, jvm::destroyForcibly);
    }

    /** Like a build that takes too long, which {@code timeout} or a CI server ends. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "KILL"})
    void servers_go_with_a_jvm_whose_whole_group_is_told_to_end(String signal) throws IOException {
        Assumptions.assumeTrue(Commands.find("setsid").isPresent(), "skipped: setsid is not installed");
        Process jvm = victim("setsid").start();

        goWith(jvm, () -> Commands.run(List.of("sh", "-c", "kill -s " + signal + " -- -" + jvm.pid())));
    }

    private static ProcessBuilder victim(String... prefix) {
        return java(Victim.class, prefix);
    }

    private static ProcessBuilder java(Class<?> main, String... prefix) {
        ProcessBuilder java = ProgramRun.java("-cp", System.getProperty("java.class.path"), main.getName());
        java.command().addAll(0, List.of(prefix));
        return java.redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static void goWith(Process jvm, Runnable end) throws IOException {
        var output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        List<Integer> ports = new ArrayList<>();
        List<Path> folders = new ArrayList<>();
        for (int server = 0; server < 2; server++) {
            ports.add(Integer.parseInt(output.readLine()));
            folders.add(Path.of(Objects.requireNonNull(output.readLine())));
        }
        assertThat(ports).noneMatch(Ports::isFree);

        end.run();

        Waiting.until(
                PATIENCE,
                "the ports of the servers to be free",
                () -> ports.stream().allMatch(Ports::isFree));
        Waiting.until(
                PATIENCE,
                "the deletion of their folders",
                () -> folders.stream().noneMatch(Files::exists));
    }
}
