// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command never prints a part of the password of a wrong URL. */
@Execution(ExecutionMode.CONCURRENT)
class SecretsInMessagesTest {

    private static final String[] PIECES = {"hunter2", "ter2", "st4ple"};

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb://app:hunter2@127.0.0.1:1/db",
                "jdbc:mariadb://app:hun@ter2@127.0.0.1:1/db",
                "jdbc:mariadb://app:hunter2/db",
                "jdbc:mariadb://127.0.0.1:1/db?user=app&pass=hunter2",
                "jdbc:mariadb://127.0.0.1:1/db?user=app&password=hun ter2&seriatim.patience=300ms",
                "jdbc:postgresql://app:hunter2@127.0.0.1:1/db",
                "jdbc:postgresql://127.0.0.1:1/db?user=app;password=hunter2&seriatim.pool-size=x",
                "jdbc:postgresql://127.0.0.1:1/db?user=app&password=hun;ter2&seriatim.patience=300ms",
                "jdbc:h2:mem:x;USER=sa;PASSWORT=hunter2",
                "jdbc:h2:nowhere:x;USER=sa;PASSWORD=hunter2;",
                "jdbc:unknown://app:hunter2@127.0.0.1/db",
                "JDBC:mariadb://app:hunter2@127.0.0.1:1/db",
                "mariadb://app:hunter2@127.0.0.1:1/db",
                "app:hunter2@127.0.0.1:1/db",
                "//app:hunter2@127.0.0.1:1/db",
                "password=hunter2",
                "memory:?password=hun&ter2",
                "memory:?latency=password=hunter2",
                "sqlite:/nowhere/at/all.db?password=hunter2",
                "sqlite:/nowhere/at/all.db&password=hunter2",
                "couchbase://app:hunter2@127.0.0.1/b",
                "spanner:projects/p?credentials=hunter2"
            })
    void nothing_that_is_printed_shows_its_password(String url) {
        for (String[] command : new String[][] {
            {"--store", url, "show", "s"},
            {"show", "s", "--store=" + url},
            {"--verbose", "next", "s", "--store", url},
            {"show", "s", url, "--verbose"},
            {"show", "s", "--stor", url, "--verbose"},
            {"show", "s", "--stor=" + url},
            {url}
        }) {
            CommandLineRun run = CommandLineRun.on("memory:", command);
            assertThat(run.code()).as(String.join(" ", command)).isNotZero();
            assertThat(run.out() + run.err()).as(String.join(" ", command)).doesNotContain(PIECES);
        }
        CommandLineRun run = CommandLineRun.on(url, "show", "s", "--verbose");
        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("seriatim: ").doesNotContain(PIECES);
    }

    @Test
    void a_line_is_short_however_much_was_typed() {
        String much = "x".repeat(131_071); // more is no argument on Linux
        for (String[] command :
                new String[][] {{"show", much}, {"--store", much, "list"}, {"next", "a", "--format", much}, {much}}) {
            CommandLineRun run = CommandLineRun.on("memory:", command);
            assertThat(run.err()).startsWith("seriatim: ").hasSizeLessThan(5000);
        }
    }

    @Test
    void the_help_says_where_a_password_can_be_read() {
        String help = CommandLineRun.of(Map.of(), "next", "--help").succeeded().replaceAll("\\s+", " ");
        assertThat(help).contains("put a URL with a password into SERIATIM_STORE", "umask 077");
    }
}
