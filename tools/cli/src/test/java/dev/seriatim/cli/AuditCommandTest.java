// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditCommandTest extends SqliteCommands {

    private static final int FOUND = 3;
    private static final String INVOICES = " --column invoice.number";

    @BeforeEach
    void invoices() throws SQLException {
        sql("CREATE TABLE invoice (number INTEGER, made TEXT, label TEXT)");
        line("create a").succeeded();
    }

    private void insert(long... numbers) throws SQLException {
        String[] rows = new String[numbers.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = "INSERT INTO invoice VALUES (" + numbers[i] + ", '10:0" + i + "', 'x')";
        }
        sql(rows);
    }

    private void found(CommandLineRun run, String... words) {
        run.endedWith(FOUND, words);
        assertThat(run.err()).startsWith("seriatim: sequence 'a': invoice.number has ");
    }

    @Test
    void a_column_that_holds_what_was_dealt_is_sound() throws SQLException {
        line("next a -n 3").succeeded();
        insert(2, 1, 3);
        sql("INSERT INTO invoice VALUES (NULL, '10:00', 'y')");
        assertThat(line("audit a --gapless" + INVOICES).succeeded()).isEqualTo("""
                        sequence      'a', which has dealt 1 … 3 (3 numbers)
                        column        invoice.number, 3 rows with a number, 1 … 3; 1 without
                        duplicates    none
                        gaps          none
                        strays        none
                        undealt       none
                        at the end    none
                        """);
    }

    @Test
    void tells_every_kind_of_fault_and_ends_with_3() throws SQLException {
        line("next a -n 20").succeeded();
        insert(0, 1, 5, 5, 4, 10, 11, 25);
        CommandLineRun run = line("audit a --ordered-by made" + INVOICES);
        found(run, "has 1 duplicate, 2 gaps, 1 stray, 1 number yet to deal, 1 number out of order\n");
        assertThat(run.out()).isEqualTo("""
                        stray         0
                        gap           2 … 3 (2 numbers)
                        duplicate     5 (2 rows)
                        gap           6 … 9 (4 numbers)
                        out of order  4 after 5, at 10:04

                        sequence      'a', which has dealt 1 … 20 (20 numbers)
                        column        invoice.number, 8 rows with a number, 0 … 25; 0 without
                        duplicates    1 number in several rows
                        gaps          2 gaps, 6 numbers missing
                        strays        1 number before the start or off the step of the sequence
                        undealt       25 that the sequence has yet to deal; raise it with 'sync'
                        order         1 number goes back, by made
                        at the end    12 … 20 (9 numbers) dealt or reserved, but not in the table
                        """);
    }

    @Test
    void tells_the_same_as_json_with_numbers_of_64_bits_as_strings() throws SQLException {
        line("next a -n 20").succeeded();
        insert(0, 1, 5, 5, 4, 10, 11, 25);
        CommandLineRun run = line("audit a --ordered-by made --format json" + INVOICES);
        found(run, "1 duplicate");
        assertThat(JsonParser.parseString(run.out())).isEqualTo(JsonParser.parseString("""
                        {"sequence": "a", "table": "invoice", "column": "number", "ordered_by": "made",
                         "from": "1", "dealt_to": "20",
                         "findings": [
                          {"kind": "stray", "first": "0", "last": "0", "numbers": "1"},
                          {"kind": "gap", "first": "2", "last": "3", "numbers": "2"},
                          {"kind": "duplicate", "number": "5", "rows": "2"},
                          {"kind": "gap", "first": "6", "last": "9", "numbers": "4"},
                          {"kind": "out_of_order", "number": "4", "after": "5", "time": "10:04"}],
                         "rows": "8", "rows_without_number": "0", "rows_without_time": "0", "duplicates": "1",
                         "surplus_rows": "1", "gaps": "2", "missing_numbers": "6", "strays": "1", "out_of_order": "1",
                         "undealt": {"first": "25", "last": "25", "numbers": "1"}, "in_pool": null,
                         "at_end": {"first": "12", "last": "20", "numbers": "9"}}"""));
        CommandLineRun sound = line("audit a --column sqlite_master.rootpage --first 21 --format json");
        assertThat(JsonParser.parseString(sound.succeeded())).isEqualTo(JsonParser.parseString("""
                        {"sequence": "a", "table": "sqlite_master", "column": "rootpage", "ordered_by": null,
                         "from": "21", "dealt_to": null, "findings": [],
                         "rows": "0", "rows_without_number": "0", "rows_without_time": null, "duplicates": "0",
                         "surplus_rows": "0", "gaps": "0", "missing_numbers": "0", "strays": "0", "out_of_order": null,
                         "undealt": null, "in_pool": null, "at_end": null}"""));
    }

    @Test
    void numbers_missing_at_the_end_are_a_fault_only_where_none_may_be() throws SQLException {
        line("next a -n 10").succeeded();
        insert(1, 2, 3);
        assertThat(line("audit a" + INVOICES).succeeded()).contains("at the end    4 … 10 (7 numbers)");
        found(line("audit a --gapless" + INVOICES), "has 7 numbers missing at the end\n");
    }

    @Test
    void goes_down_with_a_sequence_that_counts_down() throws SQLException {
        line("create down --increment-by -5").succeeded();
        line("next down -n 6").succeeded();
        insert(-1, -6, -21, -16);
        CommandLineRun run = line("audit down --ordered-by made" + INVOICES);
        run.endedWith(FOUND, "has 1 gap, 1 number out of order");
        assertThat(run.out()).contains("gap           -11\n", "-16 after -21, at 10:03", "at the end    -26 dealt");
    }

    @Test
    void begins_at_the_requested_number() throws SQLException {
        line("raise a --to 101").succeeded();
        line("next a -n 3").succeeded();
        insert(7, 7, 101, 102, 103);
        found(line("audit a" + INVOICES), "1 duplicate, 2 gaps");
        assertThat(line("audit a --gapless --first 101" + INVOICES).succeeded()).contains("3 rows with a number");
    }

    @Test
    void says_why_all_is_stray_after_the_counter_left_its_step() throws SQLException {
        line("create tens --increment-by 10").succeeded();
        line("next tens").succeeded();
        line("raise tens --to 105").succeeded();
        line("next tens -n 2").succeeded();
        insert(1, 105, 115);
        assertThat(line("audit tens" + INVOICES).out())
                .contains("strays        2 numbers", "its counter 125 is off that step as well, see --first");
        line("audit tens --gapless --first 105" + INVOICES).succeeded();
    }

    @Test
    void shows_the_requested_number_of_findings_and_counts_all() throws SQLException {
        line("next a -n 20").succeeded();
        insert(2, 4, 6, 6, 8, 8);
        CommandLineRun run = line("audit a --limit 1" + INVOICES);
        found(run, "2 duplicates, 4 gaps");
        assertThat(run.out())
                .startsWith("gap           1\nduplicate     6 (2 rows)\n\n")
                .contains("gaps          4 gaps (not all are shown; see --limit), 4 numbers missing");
        assertThat(line("audit a --limit 0" + INVOICES).out()).startsWith("sequence ");
        assertThat(line("audit a --limit 4" + INVOICES).out()).doesNotContain("not all are shown");
    }

    @Test
    void refuses_a_sequence_that_cycles() {
        line("create dial --cycle --max-value 9").succeeded();
        line("audit dial" + INVOICES).failedWith("'dial'", "cycles");
    }

    @Test
    void knows_the_last_number_of_a_sequence_that_is_used_up() throws SQLException {
        line("create end --start-with 9223372036854775806").succeeded();
        line("next end -n 2").succeeded();
        insert(Long.MAX_VALUE - 1, Long.MAX_VALUE);
        line("audit end --gapless" + INVOICES).succeeded();
    }

    @Test
    void refuses_columns_that_are_none() throws SQLException {
        insert(1);
        line("audit a --column none.number").failedWith("no table 'none'", "name one");
        line("audit a --column invoice.none").failedWith("no column 'none'", "name one");
        line("audit a --ordered-by none" + INVOICES).failedWith("no column 'none'", "name one");
        line("audit a --column invoice.label").failedWith("'label'", "'x'", "not a 64-bit integer");
        line("audit a --format json --column invoice.label").failedWith("'label'", "'x'");
        line("audit none" + INVOICES).failedWith("'none'", "not found");
        run("audit", "a", "--column", "invoice; drop table invoice.number")
                .refusedWith("invoice; drop", "plain identifier");
        run("audit", "a", "--column", "invoice.number` --").refusedWith("plain identifier");
        run("audit", "a", "--column", "invoice.number", "--ordered-by", "").refusedWith("plain identifier");
        line("audit a").refusedWith("missing required option: '--column=COLUMN'");
        line("audit a --limit -1" + INVOICES).refusedWith("--limit", "-1");
        line("audit a --first soon" + INVOICES).refusedWith("--first", "'soon'");
        line("--store memory: audit a" + INVOICES).failedWith("no tables beside the sequences");
    }

    @Test
    void explains_its_exit_code() {
        assertThat(line("audit --help").succeeded()).contains("Exit code 3", "--gapless");
        assertThat(line("--help").succeeded()).contains("3 audit, bench,");
    }
}
