// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CreateCommandTest extends SqliteCommands {

    @Test
    void creates_a_sequence_that_counts_from_one() {
        assertThat(line("create invoices").succeeded()).contains("created 'invoices'");
        assertThat(line("next invoices").succeeded()).isEqualTo("1\n");
    }

    @Test
    void takes_every_part_of_a_definition() {
        line("create down --start-with -5 --increment-by -2 --min-value -9 --max-value -1 --cycle --cache 7")
                .succeeded();
        assertThat(line("show down --format json").succeeded())
                .contains("\"start_with\": \"-5\"", "\"increment_by\": \"-2\"", "\"min_value\": \"-9\"")
                .contains("\"max_value\": \"-1\"", "\"cycle\": true", "\"cache\": \"7\"");
    }

    @Test
    void reaches_both_ends_of_64_bits() {
        line("create all --min-value -9223372036854775808 --max-value 9223372036854775807")
                .succeeded();
        assertThat(line("next all").succeeded()).isEqualTo("-9223372036854775808\n");
    }

    @Test
    void refuses_a_name_that_is_taken() {
        line("create a").succeeded();
        line("create a").failedWith("'a'", "already exists", "choose another name");
    }

    @Test
    void leaves_a_sequence_as_it_is_if_that_is_asked_for() {
        line("create a --start-with 5").succeeded();
        assertThat(line("create a --start-with 9 --if-not-exists").succeeded()).contains("nothing was changed");
        assertThat(line("next a").succeeded()).isEqualTo("5\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--increment-by 0, increment must not be 0",
        "--min-value 9 --max-value 3, min value 9 is above max value 3",
        "--start-with 0, start 0 is below min value 1",
        "--max-value 5 --start-with 6, start 6 is above max value 5",
        "--cache 0, cache must be at least 1",
        "--cache -1, cache must be at least 1",
    })
    void refuses_a_definition_that_breaks_a_rule(String options, String message) {
        line("create a " + options).failedWith("'a'", message);
        assertThat(line("list --format json").succeeded()).isEqualTo("[]\n");
    }

    @ParameterizedTest
    @CsvSource({
        "create, missing required parameter: 'NAME'",
        "create a --start-with 9223372036854775808, does not fit into 64 bits",
        "create a --min-value -9223372036854775809, does not fit into 64 bits",
        "create a --start-with ten, 'ten' is not a whole number",
        "create a --start-with 1.5, '1.5' is not a whole number",
        "create a --start-with, missing required parameter for option '--start-with'",
        "create a --start-wiht 5, unknown option '--start-wiht'",
        "create a --start-wiht 5, did you mean '--start-with'?",
        "create a --start 5, did you mean '--start-with'?",
        "create a --cache 5 --cache 6, '--cache'",
    })
    void refuses_a_wrong_command_line(String line, String message) {
        line(line).refusedWith(message);
    }

    @Test
    void creates_several_with_one_definition() {
        assertThat(line("create a b --start-with 5").succeeded()).contains("created 'a'", "created 'b'");
        assertThat(line("next b").succeeded()).isEqualTo("5\n");
        CommandLineRun again = line("create c b d");
        again.endedWith(1, "'b'", "already exists");
        assertThat(again.out()).startsWith("created 'c'").hasLineCount(1);
        assertThat(line("create c b d --if-not-exists").succeeded()).contains("created 'd'");
    }

    @Test
    void prints_SQL_and_creates_nothing() throws SQLException {
        String script = line("create a b --start-with 5 --print").succeeded();
        assertThat(directory()).isEmptyDirectory();
        assertThat(line("create a b --start-with 5 --print --if-not-exists").succeeded())
                .isEqualTo(script);
        sql(script.substring(0, script.lastIndexOf(';')).split(";\n", -1));
        assertThat(line("next b").succeeded()).isEqualTo("5\n");
        assertThat(line("create c --stripes 2 --print").succeeded()).contains("'c_0_of_2', 1,", "'c_1_of_2', 0,");
        assertThat(line("install --print --tables-only").succeeded())
                .isEqualTo(line("install --print").succeeded());
        line("install --tables-only").refusedWith("--tables-only needs --print");
    }

    @Test
    void refuses_to_print_what_it_cannot() {
        run("create", "a\nb", "--print").failedWith("'a\\u000ab'", "cannot hold this name", "create it directly");
        CommandLineRun.on("memory:", "create", "a", "--print").failedWith("has no SQL to print; omit --print");
    }

    @Test
    void takes_any_text_for_a_name_and_keeps_it_on_one_line() {
        String name = "größe\n@1 '%s'";
        run("create", name).succeeded();
        assertThat(run("next", name).succeeded()).isEqualTo("1\n");
        assertThat(line("list").succeeded()).contains("größe\\u000a@1 '%s'").hasLineCount(2);
        run("create", name).failedWith("größe\\u000a@1");
    }

    @Test
    void refuses_names_that_are_empty_or_too_long() {
        run("create", "").failedWith("must not be empty");
        run("create", "x".repeat(65)).failedWith("65 characters");
    }

    @Test
    void takes_a_name_that_looks_like_an_option_after_two_dashes() {
        run("create", "--", "--odd").succeeded();
        assertThat(run("next", "--", "--odd").succeeded()).isEqualTo("1\n");
    }

    @Test
    void does_not_read_files_that_are_named_with_an_at_sign() {
        run("create", "@pom.xml").succeeded();
        assertThat(run("next", "@pom.xml").succeeded()).isEqualTo("1\n");
    }
}
