// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShowAndListTest extends SqliteCommands {

    @Test
    void shows_a_sequence_as_json_with_numbers_of_64_bits_as_strings() {
        line("create a --start-with 11 --min-value 1 --max-value 40 --increment-by 10 --cache 7")
                .succeeded();
        JsonObject shown =
                JsonParser.parseString(line("show a --format json").succeeded()).getAsJsonObject();
        assertThat(shown).isEqualTo(JsonParser.parseString("""
                        {"name": "a", "next_value": "11", "start_with": "11", "increment_by": "10", "min_value": "1",
                         "max_value": "40", "cycle": false, "cache": "7", "used_ratio": 0.25, "values_left": "3"}"""));
        assertThat(shown.get("used_ratio").getAsJsonPrimitive().isNumber()).isTrue();
        assertThat(shown.get("cycle").getAsJsonPrimitive().isBoolean()).isTrue();
        assertThat(shown.get("values_left").getAsJsonPrimitive().isString()).isTrue();
    }

    @Test
    void has_no_next_value_when_the_sequence_is_used_up() {
        line("create a --max-value 2").succeeded();
        line("next a -n 2").succeeded();
        JsonObject shown =
                JsonParser.parseString(line("show a --format json").succeeded()).getAsJsonObject();
        assertThat(shown.get("next_value").isJsonNull()).isTrue();
        assertThat(shown.get("values_left").getAsString()).isEqualTo("0");
        assertThat(shown.get("used_ratio").getAsDouble()).isEqualTo(1);
        assertThat(line("show a").succeeded()).contains("next value    used up\n");
    }

    @Test
    void shows_where_a_cycle_starts_over() {
        line("create a --max-value 2 --cycle").succeeded();
        line("next a -n 2").succeeded();
        assertThat(line("show a --format json").succeeded()).contains("\"next_value\": \"1\"");
    }

    @Test
    void shows_a_sequence_to_people() {
        line("create a --max-value 200").succeeded();
        line("next a -n 50").succeeded();
        assertThat(line("show a").succeeded())
                .contains("name          a\n", "next value    51\n", "used          25.00 %\n", "values left   150\n");
    }

    @Test
    void lists_sequences_in_aligned_columns() {
        line("create long-name").succeeded();
        line("create b --start-with 1000").succeeded();
        String listed = line("list").succeeded();
        assertThat(listed.lines()).hasSize(3);
        assertThat(listed.lines().map(String::length).distinct()).hasSize(1);
        assertThat(listed.lines().skip(1)).first().asString().startsWith("b ").contains(" 1000 ");
        JsonArray json =
                JsonParser.parseString(line("list --format json").succeeded()).getAsJsonArray();
        assertThat(json).hasSize(2);
        assertThat(json.get(1))
                .isEqualTo(JsonParser.parseString(
                        line("show long-name --format json").succeeded()));
    }

    @Test
    void lists_the_rest_of_the_rows_when_one_is_no_sequence() throws Exception {
        line("create a").succeeded();
        line("create b").succeeded();
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + directory().resolve("test.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE seriatim_sequence SET increment_by = 'x' WHERE name = 'a'");
        }
        for (String format : List.of("text", "json")) {
            CommandLineRun listed = line("list --format " + format);
            assertThat(listed.out()).contains("b").doesNotContain("\"a\"", "a   ");
            listed.endedWith(ExitCode.FAILED, "sequence 'a': ", " holds 'x', not a 64-bit integer; correct the row");
        }
    }

    @Test
    void says_that_a_list_is_empty() {
        CommandLineRun text = line("list");
        assertThat(text.code()).isZero();
        assertThat(text.out()).isEmpty();
        assertThat(text.err())
                .startsWith("no sequences in ")
                .contains("test.db, a file that does not exist yet; 'create NAME' with the same store creates one")
                .hasLineCount(1);
        assertThat(line("list --format json").succeeded()).isEqualTo("[]\n");
        line("create a").succeeded();
        line("drop a").succeeded();
        assertThat(line("list").err()).startsWith("no sequences in ").contains("test.db; 'create NAME'");
    }

    @Test
    void lists_nothing_below_a_folder_that_does_not_exist() {
        Path none = directory().resolve("none");
        for (String store : List.of("sqlite:" + none + "/x.db", "jdbc:sqlite:" + none + "/x.db")) {
            run("--store", store, "list").failedWith(none + "/x.db", "create the folder first: " + none);
            run("--store", store, "show", "a").failedWith(none + "/x.db", "create the folder first: " + none);
        }
    }

    @Test
    void refuses_what_it_does_not_know() {
        line("show none").failedWith("'none'", "not found");
        line("show none --format json").failedWith("'none'", "not found");
        line("show").refusedWith("'NAME'");
        line("show a --format xml").refusedWith("--format", "text, json", "'xml'");
        line("list a").refusedWith("unexpected argument 'a'");
    }
}
