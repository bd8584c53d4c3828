// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code feed} on SQLite, whose trigger gives the positions. */
class FeedCommandTest extends SqliteCommands {

    private void orders() throws SQLException {
        sql(
                "CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT, digest BLOB)",
                "INSERT INTO orders VALUES (7, 'a, \"b\"', x'00ff'), (3, '', NULL)");
        assertThat(line("feed create orders").succeeded())
                .startsWith("created feed 'orders' in ")
                .endsWith("; poll `orders_feed`\n");
    }

    @Test
    void shows_the_help_without_an_action() {
        assertThat(line("feed").succeeded())
                .isEqualTo(line("feed --help").succeeded())
                .contains("\n  create ", "\n  stamp ", "\n  install ");
        assertThat(line("help feed read").succeeded()).startsWith("Usage: seriatim feed read");
    }

    @Test
    void a_file_that_does_not_exist_has_no_feeds_and_is_not_created() {
        CommandLineRun list = line("feed list");
        assertThat(list.code()).isZero();
        assertThat(list.err()).startsWith("no feeds in ").contains("'feed create TABLE'");
        line("feed show orders").failedWith("feed 'orders' not found", "'seriatim feed create TABLE'");
        line("feed create orders").failedWith("table 'orders' not found");
        assertThat(directory()).isEmptyDirectory();
        assertThat(line("feed install").succeeded()).contains("without functions");
    }

    @Test
    void lists_and_shows_feeds() throws SQLException {
        orders();
        assertThat(line("feed list").succeeded()).isEqualTo("""
                NAME    TABLE   LAST POSITION  WAITING
                orders  orders              2        0
                """);
        line("feed reader orders billing --to 1").printed("reader 'billing' of feed 'orders' is at 1, created\n");
        assertThat(line("feed show orders").succeeded()).isEqualTo("""
                name          orders
                table         orders
                key           id
                view          `orders_feed`
                last position 2
                waiting       0 rows
                reader        billing at 1, 1 behind
                """);
        String json = line("feed show orders --format json").succeeded();
        assertThat(json).contains("\"last_position\": \"2\"", "\"behind\": \"1\"");
        JsonArray list = JsonParser.parseString(line("feed list --format json").succeeded())
                .getAsJsonArray();
        assertThat(list).containsExactly(JsonParser.parseString(json));
    }

    @Test
    void reads_entries_as_text_json_and_csv() throws SQLException {
        orders();
        sql("INSERT INTO orders VALUES (9, 'gone', NULL)", "DELETE FROM orders WHERE id = 9");
        line("feed read orders").printed("""
                position  id
                       1   3
                       2   7
                       3   9
                """);
        line("feed read orders --columns note,digest").printed("""
                position  id  note    digest
                       1   3          -
                       2   7  a, "b"  00ff
                       3   9  -       -
                """);
        line("feed read orders --after 1 -n 1 --format csv --columns note,digest")
                .printed("""
                position,id,note,digest
                2,7,"a, ""b\""",00ff
                """);
        line("feed read orders --format csv --columns note,digest -n 1").printed("""
                position,id,note,digest
                1,3,"",
                """);
        JsonArray entries = JsonParser.parseString(line("feed read orders --after 1 --format json --columns note")
                        .succeeded())
                .getAsJsonArray();
        assertThat(entries.get(0)).hasToString("""
                {"position":"2","key":{"id":"7"},"row":{"note":"a, \\"b\\""}}""");
        assertThat(entries.get(1)).hasToString("""
                {"position":"3","key":{"id":"9"},"row":null}""");
        CommandLineRun end = line("feed read orders --after 3");
        assertThat(end.code()).isZero();
        assertThat(end.err()).isEqualTo("feed 'orders' has no entries after 3\n");
    }

    @Test
    void a_feed_without_sequences_beside_it_is_written_to_and_dropped() throws SQLException {
        orders();
        line("feed stamp orders").printed("stamped 0 rows; feed 'orders' ends at 2\n");
        line("feed reader orders billing --to 2").succeeded();
        line("feed reader orders billing --to 1").printed("reader 'billing' of feed 'orders' is at 1, was at 2\n");
        line("feed trim orders").printed("removed 1 position of feed 'orders'\n");
        line("feed reader orders billing --forget").printed("removed reader 'billing' of feed 'orders', was at 1\n");
        line("feed trim orders --to 2").printed("removed 0 positions of feed 'orders'\n");
        assertThat(line("feed drop orders").succeeded()).startsWith("dropped feed 'orders' from ");
        sql("INSERT INTO orders VALUES (10, '', NULL)");
        line("next a").failedWith("sequence 'a': not found");
    }

    @Test
    void an_existing_feed_gets_a_view_with_new_columns() throws SQLException {
        orders();
        sql("ALTER TABLE orders ADD COLUMN total INTEGER");
        assertThat(line("feed create orders").succeeded()).startsWith("renewed the view of feed 'orders' in ");
        sql("SELECT position, total FROM orders_feed");
        line("feed create orders --name later --from now").succeeded();
        assertThat(line("feed read later").err()).isEqualTo("feed 'later' has no entries after 0\n");
        assertThat(line("feed check later").succeeded()).startsWith("note: 2 rows have no entry");
    }

    @Test
    void check_finds_a_missing_trigger_and_mend_enters_rows() throws SQLException {
        orders();
        line("feed check orders").printed("feed 'orders' has no fault\n");
        sql("DROP VIEW orders_feed");
        assertThat(line("feed check orders").out())
                .startsWith("view orders_feed: ")
                .contains("; 'seriatim feed check orders --mend' creates it again\n");
        line("feed check orders --mend").printed("entered 0 rows into feed 'orders'\nfeed 'orders' has no fault\n");
        sql("DROP TRIGGER orders_arrives", "INSERT INTO orders VALUES (8, '', NULL), (9, '', NULL)");
        CommandLineRun found = line("feed check orders");
        found.endedWith(3, "feed 'orders' has 2 faults; --mend enters the rows");
        assertThat(found.out()).contains("trigger orders_arrives is missing", "2 rows have no entry");
        line("feed check orders --mend").printed("entered 2 rows into feed 'orders'\nfeed 'orders' has no fault\n");
        assertThat(line("feed read orders --after 2 --format csv").succeeded()).endsWith("3,8\n4,9\n");
    }

    @Test
    void prints_a_script_that_makes_the_feed() throws SQLException {
        sql("CREATE TABLE orders (id INTEGER PRIMARY KEY)", "INSERT INTO orders VALUES (5)");
        String script = line("feed create orders --print").succeeded();
        line("feed show orders").failedWith("not found");
        sql(script.substring(0, script.lastIndexOf(';')).split(";\n", -1));
        assertThat(line("feed read orders --format csv").succeeded()).endsWith("\n1,5\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    feed show                         | missing required parameter: 'NAME'
                    feed create orders --from then    | --from is one of BEGINNING, NOW
                    feed create orders --key id,id    | repeats a value
                    feed list --native                | unknown option '--native'
                    feed read orders --format xml     | --format is one of text, json, csv
                    feed read orders -n x             | 'x' is not a whole number
                    feed reader orders r              | give either --to or --forget
                    feed reader orders r --to 1 --forget | give either --to or --forget
                    feed trim orders extra            | unexpected argument 'extra'
                    """)
    void refuses_wrong_usage(String command, String message) throws SQLException {
        orders();
        line(command).refusedWith(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    feed create a.b.c                 | write TABLE or SCHEMA.TABLE
                    feed create orders_positions      | one of Seriatim's own
                    feed create orders --name o --key note | column 'note' of table 'orders' can be null
                    feed read orders --columns nope   | no such column: t.nope
                    feed read orders -n 0             | 1 to 100000 entries, not 0
                    feed reader orders r --to 3       | the feed ends at 2
                    feed reader orders r --forget     | reader 'r' of feed 'orders' not found
                    feed trim orders                  | feed 'orders' has no readers; name what
                    feed drop other                   | feed 'other' not found
                    feed stamp other --follow         | feed 'other' not found
                    feed check orders --store memory: | memory has no feeds; name an SQL database
                    feed list --store jdbc:h2:mem:x   | no feeds in H2
                    """)
    void reports_what_it_cannot_do(String command, String message) throws SQLException {
        orders();
        line(command).failedWith(message);
    }

    @Test
    void a_file_without_feeds_of_ours_is_left_alone() throws Exception {
        sql("CREATE TABLE other (id INTEGER PRIMARY KEY)");
        byte[] before = Files.readAllBytes(directory().resolve("test.db"));
        line("feed drop orders").failedWith("not found");
        line("next a").failedWith("not found");
        assertThat(directory().resolve("test.db")).hasBinaryContent(before);
    }
}
