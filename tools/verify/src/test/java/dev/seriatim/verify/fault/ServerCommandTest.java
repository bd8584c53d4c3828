// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are not servers, but start, end and fail as theirs do. */
@Timeout(60)
@Tag("long")
class ServerCommandTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    /** A tree of three: a shell, its child, and a grandchild in a session of its own, as PostgreSQL's backends are. */
    private String tree() {
        String grandchild = "setsid sh -c \"echo \\$\\$ >grandchild.new; mv grandchild.new grandchild; sleep 1000; :\"";
        return "cd '" + folder + "'; sh -c '" + grandchild + " & echo $$ >child; wait'; :";
    }

    private ServerCommand command(String command, Duration patience) {
        return new ServerCommand(command, folder.resolve("log"), this::answers, patience);
    }

    private boolean answers() {
        return Files.exists(folder.resolve("grandchild"));
    }

    private ProcessHandle process(String name) throws Exception {
        return ProcessHandle.of(
                        Long.parseLong(Files.readString(folder.resolve(name)).strip()))
                .orElseThrow();
    }

    private boolean isRunning(String name) throws Exception {
        return ProcessHandle.of(
                        Long.parseLong(Files.readString(folder.resolve(name)).strip()))
                .filter(ProcessTree::isRunning)
                .isPresent();
    }

    private static String state(ProcessHandle process) throws Exception {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    }

    @Test
    void all_processes_are_killed_also_one_in_another_session() throws Exception {
        try (ServerCommand server = command(tree(), PATIENCE)) {
            server.start();
            List<ProcessHandle> all = List.of(process("child"), process("grandchild"));
            assertThat(all).allMatch(ProcessTree::isRunning);
            assertThat(server.isRunning()).isTrue();
            server.kill();
            assertThat(all).noneMatch(ProcessTree::isRunning);
            assertThat(server.isRunning()).isFalse();
            server.kill();
        }
    }

    @Test
    void a_child_that_outlives_its_parent_is_killed_too() throws Exception {
        try (ServerCommand server = command(tree(), PATIENCE)) {
            server.start();
            ProcessHandle grandchild = process("grandchild");
            ProcessHandle child = process("child");
            child.destroyForcibly();
            while (ProcessTree.isRunning(child)) {
                Thread.sleep(2);
            }
            assertThat(ProcessTree.isRunning(grandchild)).isTrue();
            server.kill();
            assertThat(ProcessTree.isRunning(grandchild)).isFalse();
        }
    }

    @Test
    void long_output_is_emptied_by_the_next_start_and_short_output_is_kept() throws Exception {
        Path log = folder.resolve("log");
        String talkative =
                "echo began; [ -e " + folder.resolve("quiet") + " ] || head -c 10000001 /dev/zero; " + tree();
        try (ServerCommand server = command(talkative, PATIENCE)) {
            server.start();
            assertThat(Files.size(log)).isGreaterThan(10_000_000);
            Files.createFile(folder.resolve("quiet"));
            for (String expected : new String[] {"began\n", "began\nbegan\n"}) {
                server.kill();
                Files.delete(folder.resolve("grandchild"));
                server.start();
                assertThat(log).hasContent(expected);
            }
        }
    }

    @Test
    void all_processes_are_stopped_and_continued() throws Exception {
        try (ServerCommand server = command(tree(), PATIENCE)) {
            server.start();
            server.suspend();
            for (String name : new String[] {"child", "grandchild"}) {
                while (!state(process(name)).equals("T")) { // a signal takes a moment on a busy machine
                    Thread.sleep(1);
                }
            }
            server.resume();
            assertThat(state(process("child"))).isNotEqualTo("T");
            assertThat(state(process("grandchild"))).isNotEqualTo("T");
        }
        assertThat(isRunning("grandchild")).isFalse();
    }

    @Test
    void a_command_that_fails_at_once_is_reported_in_one_line_with_the_end_of_its_output() throws Exception {
        Files.writeString(folder.resolve("log"), "of an earlier start\n");
        try (ServerCommand server = command("echo first; echo 'no such directory: data' >&2; exit 3", PATIENCE)) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(Unavailable.class)
                    .hasMessage("--server-command ended with code 3 before the server answered; its output in "
                            + folder.resolve("log") + " ends with: first no such directory: data");
            assertThat(server.isRunning()).isFalse();
        }
    }

    @Test
    void a_command_that_does_not_exist_is_reported_with_what_the_shell_says() {
        try (ServerCommand server = command("no-such-server -D data", PATIENCE)) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("code 127")
                    .hasMessageContaining("no-such-server: not found");
        }
    }

    @Test
    void a_command_that_leaves_its_server_in_the_background_is_refused() {
        try (ServerCommand server = command("echo begun; exit 0", PATIENCE)) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("instead of running the server in the foreground")
                    .hasMessageContaining("ends with: begun");
        }
    }

    @Test
    void what_a_command_left_in_the_background_before_anybody_saw_it_is_killed() throws Exception {
        String command = "cd '" + folder + "'; sleep 1000 & echo $! >child; exit 0";
        try (ServerCommand started = command(command, PATIENCE)) {
            assertThatThrownBy(started::start).isInstanceOf(Misconfigured.class);
            while (isRunning("child")) {
                Thread.sleep(10);
            }
        }
    }

    @Test
    void a_server_that_a_command_left_in_the_background_is_killed() throws Exception {
        String server = "echo \\$\\$ >child; sleep 1; touch grandchild; sleep 1000; :";
        String command =
                "cd '" + folder + "'; setsid sh -c \"" + server + "\" & while [ ! -e grandchild ]; do sleep 0.01; done";
        try (ServerCommand started = command(command, PATIENCE)) {
            assertThatThrownBy(started::start).isInstanceOf(Misconfigured.class);
            assertThat(isRunning("child")).isFalse();
        }
    }

    @Test
    void a_server_that_does_not_answer_is_killed_and_only_the_end_of_its_output_shown() throws Exception {
        String command = "cd '" + folder + "'; seq 1 10000; echo $$ >child; exec sleep 1000";
        try (ServerCommand server = command(command, Duration.ofSeconds(1))) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("does not answer at the store URL after 1 s")
                    .hasMessageEndingWith(" 9999 10000")
                    .message()
                    .hasSizeLessThan(1_000)
                    .hasLineCount(1);
            assertThat(isRunning("child")).isFalse();
        }
    }

    @Test
    void a_server_that_answers_already_is_not_touched() throws Exception {
        Files.createFile(folder.resolve("grandchild"));
        try (ServerCommand server = command("touch '" + folder + "/begun'; sleep 1000", PATIENCE)) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("before --server-command has started one");
            assertThat(folder.resolve("begun")).doesNotExist();
        }
    }

    private Process program(String... more) throws IOException {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ServerCommandProgram.class.getName(),
                "cd '" + folder + "'; echo $$ >grandchild.new; mv grandchild.new grandchild; sleep 1000; :",
                folder.resolve("grandchild").toString(),
                folder.resolve("log").toString());
        return new ProcessBuilder(Stream.concat(java.stream(), Stream.of(more)).toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void it_runs_until_a_command_that_is_told_to_end_has_reported() throws Exception {
        Process jvm = program("reports");
        try (var heard = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(heard.readLine()).isEqualTo("started");
            List<ProcessHandle> all = new ProcessTree(process("grandchild")).processes();
            jvm.toHandle().destroy(); // which, other than the process, keeps its output open
            assertThat(heard.readLine()).isEqualTo("running");
            jvm.waitFor();
            assertThat(all).noneMatch(ProcessTree::isRunning);
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** By an order to end, by a signal, by kill -9. Not by SIGINT, which a build in the background may ignore, and its JVMs with it. */
    @ParameterizedTest
    @ValueSource(strings = {"exit", "TERM", "KILL"})
    void it_ends_when_the_jvm_ends(String how) throws Exception {
        Process jvm = program();
        try (var heard = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(heard.readLine()).isEqualTo("started");
            ProcessHandle server = process("grandchild");
            List<ProcessHandle> all = new ProcessTree(server).processes();
            assertThat(all).hasSize(2);
            if (how.equals("exit")) {
                jvm.getOutputStream().close();
            } else {
                new ProcessBuilder("sh", "-c", "kill -" + how + " " + jvm.pid())
                        .start()
                        .waitFor();
            }
            jvm.waitFor();
            while (all.stream().anyMatch(ProcessTree::isRunning)) {
                Thread.sleep(2);
            }
        } finally {
            jvm.destroyForcibly();
        }
    }
}
