// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code seriatim}, in a folder where everything is built, over a Java that only prints its arguments. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {

    private static final List<String> AS_ANOTHER_USER =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    private Path folder;

    @BeforeEach
    void open_to_all() throws IOException {
        openToAll(folder);
    }

    @Test
    void a_star_in_the_options_for_java_names_no_files() throws Exception {
        Path home = built(folder.resolve("home"));
        ProcessBuilder launcher = launcher(home, List.of());
        launcher.environment().put("SERIATIM_JAVA_OPTS", "-Done=* -Dtwo=2");
        Files.createFile(home.resolve("-Done=file"));

        assertThat(output(launcher)).contains("-Done=*", "-Dtwo=2").doesNotContain("-Done=file");
    }

    @Test
    void a_colon_in_the_path_is_refused_in_one_line() throws Exception {
        Path home = built(folder.resolve("a:b"));

        assertThat(output(launcher(home, List.of())))
                .containsExactly("seriatim: the folder " + home.toRealPath()
                        + " has a ':' in its name, which a Java class path cannot have; move it elsewhere");
    }

    @Test
    void a_working_directory_that_is_gone_is_told_in_one_line() throws Exception {
        Path home = built(folder.resolve("home"));
        ProcessBuilder launcher = launcher(home, List.of());
        Path gone = Files.createDirectory(folder.resolve("gone"));
        launcher.command("sh", "-c", "cd " + gone + " && rmdir " + gone + " && sh " + home + "/seriatim list");
        assertThat(output(launcher)).last().isEqualTo("seriatim: the working directory is gone; change to another");
    }

    @Test
    void the_lock_of_another_user_who_lives_is_waited_for() throws Exception {
        boolean root = System.getProperty("user.name").equals("root");
        assumeTrue(!root || succeeds(AS_ANOTHER_USER), "skipped: root cannot become another user here");
        Path home = built(folder.resolve("home"));
        Files.delete(archive(home));
        Path lock = Files.createDirectory(home.resolve("tools/target/launcher/lock"));
        Files.writeString(lock.resolve("pid"), "1\n"); // which lives, and is root's
        openToAll(lock.resolve("pid"));
        openToAll(lock);

        Process launcher = launcher(home, root ? AS_ANOTHER_USER : List.of()).start();
        try (BufferedReader said = launcher.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("seriatim: another process is building, waiting for it ...");
            assertThat(launcher.waitFor(1, TimeUnit.SECONDS)).isFalse();
            assertThat(lock.resolve("pid")).exists();
            Files.delete(lock.resolve("pid"));
            Files.delete(lock);
            assertThat(said.lines()).contains("dev.seriatim.cli.Main");
        } finally {
            launcher.destroyForcibly().waitFor();
        }
    }

    @Test
    void the_lock_of_a_process_that_has_died_is_taken_over() throws Exception {
        Path home = built(folder.resolve("home"));
        Files.delete(archive(home));
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path lock = Files.createDirectory(home.resolve("tools/target/launcher/lock"));
        Files.writeString(lock.resolve("pid"), dead.pid() + "\n");

        assertThat(output(launcher(home, List.of()))).contains("dev.seriatim.cli.Main");
        assertThat(lock).doesNotExist();
    }

    @Test
    void a_command_that_runs_keeps_its_build_through_any_number_of_others() throws Exception {
        Path home = built(folder.resolve("home"));
        Path builds = home.toRealPath().resolve("tools/target/launcher");
        Path mvnw = home.resolve("mvnw");
        Files.writeString(mvnw, """
                mkdir -p tools/target/lib && touch tools/target/lib/seriatim-cli.jar tools/target/lib/seriatim-doctor.jar
                """);
        Files.createFile(Files.createDirectories(home.resolve("java/bin")).resolve("javac"));
        openToAll(home.resolve("java/bin/javac"));

        // It waits for input, with the jar among its arguments.
        Process running = new ProcessBuilder(
                        "sh",
                        "-c",
                        "read line",
                        "java",
                        builds.resolve("app-1/lib/seriatim-cli.jar").toString())
                .start();
        try {
            build(home);
            build(home);
            build(home);
            assertThat(builds.resolve("app-1/lib/seriatim-cli.jar")).exists();
            try (Stream<Path> all = Files.list(builds)) {
                assertThat(all.filter(each -> each.getFileName().toString().startsWith("app-")))
                        .as("the one that runs, the last, and the one before")
                        .hasSize(3);
            }
        } finally {
            running.destroyForcibly().waitFor();
        }
        build(home);
        assertThat(builds.resolve("app-1")).doesNotExist();
    }

    private static void build(Path home) throws Exception {
        Files.writeString(home.resolve("pom.xml"), "changed");
        Files.setLastModifiedTime(
                home.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(1)));
        assertThat(output(launcher(home, List.of()))).contains("dev.seriatim.cli.Main");
    }

    /** A home in which nothing is left to build, and a Java in it that prints its arguments, one a line. */
    private static Path built(Path home) throws IOException {
        Path app = home.resolve("tools/target/launcher/app-1");
        Files.createDirectories(app.resolve("lib"));
        Files.createFile(app.resolve("lib/seriatim-cli.jar"));
        Files.createFile(app.resolve("lib/seriatim-doctor.jar"));
        Files.createFile(app.resolve("built"));
        Files.writeString(home.resolve("tools/target/launcher/current"), "app-1\n");
        Files.copy(Path.of("../../seriatim"), home.resolve("seriatim"));
        Path java = Files.createDirectories(home.resolve("java/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.writeString(home.resolve("java/release"), "JAVA_VERSION=\"17.0.1\"\n");
        Files.createFile(archive(home));
        try (Stream<Path> all = Files.walk(home)) {
            all.forEach(LauncherTest::openToAll);
        }
        return home;
    }

    private static Path archive(Path home) throws IOException {
        String key = (home.toRealPath() + "/java-17.0.1").replace('/', '-');
        return home.resolve("tools/target/launcher/app-1/java" + key + ".jsa");
    }

    private static void openToAll(Path path) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static ProcessBuilder launcher(Path home, List<String> prefix) throws IOException {
        List<String> command = Stream.of(prefix, List.of("sh", "./seriatim", "next", "x"))
                .flatMap(List::stream)
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("JAVA_HOME", home.toRealPath().resolve("java").toString());
        builder.environment().remove("SERIATIM_CLASSPATH");
        builder.environment().remove("SERIATIM_STORE");
        return builder.redirectErrorStream(true);
    }

    private static List<String> output(ProcessBuilder launcher) throws Exception {
        Process process = launcher.start();
        process.getOutputStream().close();
        List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        process.waitFor();
        return lines;
    }

    private static boolean succeeds(List<String> prefix) throws Exception {
        List<String> command = Stream.concat(prefix.stream(), Stream.of("sh", "-c", "mkdir -p ."))
                .toList();
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false; // not installed
        }
    }
}
