// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.HelpCheck;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line with the tools on its class path. */
class ToolCommandsTest {

    private static CommandLineRun plain(String... args) {
        return CommandLineRun.of(Map.of(), args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"advise", "bench", "doctor", "verify"})
    void the_command_line_lists_and_explains_its_commands(String command) {
        assertThat(plain("--help").succeeded()).contains("\n  create ").contains("\n  " + command + " ");
        String help = plain(command, "--help").succeeded();
        assertThat(help)
                .startsWith("Usage: seriatim " + command)
                .contains("Example")
                .contains("seriatim");
        assertThat(plain("help", command).succeeded()).isEqualTo(help);
        assertThat(plain("--store", "memory:", command, "-h").succeeded()).isEqualTo(help);
    }

    @Test
    void they_stand_behind_those_for_daily_use() {
        assertThat(plain("--help").succeeded())
                .containsSubsequence("\n  install ", "\n  advise ", "\n  bench ", "\n  verify ", "\n  doctor ");
    }

    @Test
    void one_that_was_mistyped_is_suggested() {
        plain("bnech").refusedWith("unknown command 'bnech'", "did you mean 'bench'?");
    }

    @Test
    void what_is_no_number_is_refused_in_words_of_users() {
        plain("bench", "--threads", "x").refusedWith("'--threads' (N): 'x' is not a whole number");
        plain("bench", "--threads", "3000000000").refusedWith("must be at most 2147483647, not 3000000000");
    }

    @Test
    void the_store_may_stand_before_and_after_the_command() {
        plain("--store", "memory:", "advise", "--rate", "5", "--latency", "1ms").succeeded();
        plain("advise", "--store", "memory:", "--rate", "5", "--latency", "1ms").succeeded();
    }

    @Test
    void every_help_names_every_store_and_fits_on_a_terminal() {
        assertThat(HelpCheck.all())
                .contains(
                        "seriatim next",
                        "seriatim feed stamp",
                        "seriatim advise",
                        "seriatim bench",
                        "seriatim bench compare",
                        "seriatim doctor",
                        "seriatim verify");
    }
}
