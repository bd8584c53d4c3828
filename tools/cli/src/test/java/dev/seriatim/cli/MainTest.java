// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest extends SqliteCommands {

    private static CommandLineRun plain(String... args) {
        return CommandLineRun.of(Map.of(), args);
    }

    @Test
    void shows_the_help_when_nothing_is_asked_for() {
        String help = plain().succeeded();
        assertThat(help).contains("First steps", "seriatim create", "Exit codes", "sqlite:FILE");
        assertThat(plain("--help").succeeded()).isEqualTo(help);
        assertThat(plain("help").succeeded()).isEqualTo(help);
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create", "next", "list", "show", "alter", "restart", "raise", "drop", "sync", "audit", "feed",
                "install"
            })
    void explains_every_command_with_an_example(String command) {
        assertThat(plain("--help").succeeded()).contains("\n  " + command + " ");
        String help = plain(command, "--help").succeeded();
        assertThat(help)
                .startsWith("Usage: seriatim " + command)
                .contains("Example")
                .contains("seriatim");
        assertThat(plain("help", command).succeeded()).isEqualTo(help);
        assertThat(plain(command, "-h").succeeded()).isEqualTo(help);
    }

    @ParameterizedTest
    @ValueSource(strings = {"advise", "bench"})
    void says_which_jar_is_missing_when_it_is_not_on_the_class_path(String command) {
        assertThat(plain("--help").succeeded()).doesNotContain("\n  " + command + " ");
        plain(command, "--threads", "1")
                .refusedWith("'" + command + "' needs seriatim-", "bench.jar", "tools/target/lib");
        plain("--store", "memory:", command, "--help").refusedWith("'" + command + "' needs seriatim-");
        plain("help", command).refusedWith("'" + command + "' needs seriatim-");
    }

    @Test
    void tells_its_version() {
        assertThat(plain("--version").succeeded()).startsWith("seriatim ").contains("Java ");
    }

    @Test
    void suggests_the_command_that_was_meant() {
        plain("nxt", "a").refusedWith("unknown command 'nxt'", "did you mean 'next'?", "see 'seriatim --help'");
        plain("feed", "craete")
                .refusedWith("unknown command 'craete'", "did you mean 'create'?", "'seriatim feed --help'");
        plain("zzzzzz").refusedWith("unknown command 'zzzzzz';");
        plain("--stroe", "x", "next", "a").refusedWith("unknown option '--stroe'", "did you mean '--store'?");
    }

    @Test
    void takes_the_store_before_and_after_the_command_and_from_the_environment() {
        String here = "sqlite:" + directory().resolve("here.db");
        plain("--store", here, "create", "a").succeeded();
        plain("--store=" + here, "next", "a").succeeded();
        plain("next", "--store", here, "a").succeeded();
        assertThat(CommandLineRun.on(here, "next", "a").succeeded()).isEqualTo("3\n");
        assertThat(CommandLineRun.on("nonsense:", "next", "a", "--store=" + here)
                        .succeeded())
                .isEqualTo("4\n");
    }

    @Test
    void draws_from_memory() {
        assertThat(plain("--store", "memory:", "next", "a", "--create", "-n", "2")
                        .succeeded())
                .isEqualTo("1\n2\n");
        plain("--store", "memory:", "install").failedWith("needs nothing installed");
        plain("--store", "memory:", "sync", "a", "--column", "t.c").failedWith("use raise");
    }

    @Test
    void refuses_a_store_that_it_does_not_know() {
        plain("--store", "foo:bar", "list").failedWith("'foo:bar'", "sqlite:");
        plain("--store", "somewhere", "list").failedWith("somewhere");
        plain("--store", "", "list").refusedWith("--store needs a URL");
        plain("--store", "\"jdbc:postgresql://host/db?password=s3cret\"", "list")
                .refusedWith("--store needs a URL such as sqlite:FILE, neither empty nor in quotation marks");
        plain("list", "--store").refusedWith("--store");
        plain("--store", "memory:?latency=soon", "list").failedWith("latency", "10ms");
        plain("--store", "memory:?speed=1", "list").failedWith("unknown option 'speed'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void refuses_an_environment_that_names_an_empty_store_instead_of_drawing_from_the_default(String empty) {
        CommandLineRun.on(empty, "next", "a", "--create")
                .refusedWith("the variable SERIATIM_STORE needs a URL such as sqlite:FILE, neither empty");
    }

    @Test
    void blanks_and_line_ends_around_a_store_are_no_part_of_it() {
        Path file = directory().resolve("numbers.db");
        CommandLineRun.on("sqlite:" + file + "\n", "next", "a", "--create").printed("1\n");
        plain("--store", " sqlite:" + file, "next", "a").printed("2\n");
    }

    @Test
    void refuses_a_folder_and_a_file_of_another_kind() throws IOException {
        plain("--store", "sqlite:" + directory(), "list").failedWith(directory().toString(), "folder");
        Path text = Files.writeString(directory().resolve("notes.txt"), "not a database, and long enough".repeat(99));
        plain("--store", "sqlite:" + text, "next", "a").failedWith("notes.txt", "not a SQLite database");
        Path missing = directory().resolve("no/such/folder/x.db");
        plain("--store", "sqlite:" + missing, "create", "a").failedWith("x.db");
        assertThat(text).hasContent("not a database, and long enough".repeat(99));
    }

    @Test
    void keeps_secrets_out_of_its_messages() {
        CommandLineRun run = plain("--store", "jdbc:none://joe:s3cret@host/db?password=s3cret2", "list");
        run.failedWith("seriatim: ");
        assertThat(run.err()).doesNotContain("s3cret");
        CommandLineRun other = plain("--store", "none://joe:s3cret@host/db?password=s3cret2", "list");
        assertThat(other.err()).doesNotContain("s3cret");
    }

    @Test
    void shows_where_an_error_came_from_only_when_asked() {
        line("create a").succeeded();
        for (String verbose : new String[] {"--verbose create a", "create a --verbose"}) {
            CommandLineRun run = line(verbose);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).startsWith("seriatim: sequence 'a'").contains("\tat dev.seriatim");
        }
    }
}
