// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyncCommandTest extends SqliteCommands {

    @BeforeEach
    void orders() throws SQLException {
        sql("CREATE TABLE orders (id INTEGER, label TEXT)");
    }

    @Test
    void raises_a_sequence_above_the_highest_value() throws SQLException {
        sql("INSERT INTO orders VALUES (41, 'x'), (7, 'y')");
        line("create a").succeeded();
        assertThat(line("sync a --column orders.id").succeeded())
                .isEqualTo("raised 'a', its next value is 42, since orders.id has reached 41\n");
        assertThat(line("next a").succeeded()).isEqualTo("42\n");
    }

    @Test
    void goes_below_the_lowest_value_when_the_sequence_counts_down() throws SQLException {
        sql("INSERT INTO orders VALUES (-41, 'x'), (-7, 'y')");
        line("create a --increment-by -2").succeeded();
        assertThat(line("sync a --column orders.id").succeeded()).contains("its next value is -43");
    }

    @ParameterizedTest
    @CsvSource({
        "3, 10, 37, 43",
        "3, 10, 33, 43",
        "3, 10, 42, 43",
        "3, 10, 9223372036854775797, 9223372036854775803",
        "-9223372036854775808, 10, 9223372036854775791, 9223372036854775792",
        "-3, -10, -37, -43",
        "-3, -10, -43, -53",
        "9223372036854775807, -10, -9223372036854775799, -9223372036854775803",
    })
    void goes_to_a_number_that_the_sequence_would_deal_by_itself(long start, long increment, long held, long next)
            throws SQLException {
        sql("INSERT INTO orders VALUES (" + held + ", 'x')");
        line("create a --start-with=" + start + " --increment-by=" + increment
                        + (increment > 0
                                ? " --min-value=" + Math.min(start, 1)
                                : " --max-value=" + Math.max(start, -1)))
                .succeeded();
        assertThat(line("sync a --column orders.id").succeeded()).contains("its next value is " + next + ",");
        assertThat(line("next a").succeeded()).isEqualTo(next + "\n");
    }

    @Test
    void only_says_what_it_would_do_in_a_dry_run() throws SQLException {
        sql("INSERT INTO orders VALUES (41, 'x')");
        line("create a").succeeded();
        assertThat(line("sync a --column orders.id --dry-run").succeeded()).contains("would raise 'a' from 1 to 42");
        assertThat(line("next a").succeeded()).isEqualTo("1\n");
    }

    @Test
    void never_goes_back() throws SQLException {
        sql("INSERT INTO orders VALUES (41, 'x')");
        line("create a --min-value 1000").succeeded();
        assertThat(line("sync a --column orders.id").succeeded()).contains("nothing to do", "its next value is 1000");
        line("create b --max-value 41 --start-with 41").succeeded();
        line("next b").succeeded();
        assertThat(line("sync b --column orders.id").succeeded()).contains("nothing to do", "it is used up");
    }

    @Test
    void stays_where_the_column_is_empty() {
        line("create a").succeeded();
        assertThat(line("sync a --column orders.id").succeeded()).contains("nothing to do", "holds no value");
    }

    @Test
    void says_when_the_column_leaves_no_room() throws SQLException {
        sql("INSERT INTO orders VALUES (100, 'x'), (9223372036854775807, 'y')");
        line("create a --max-value 100").succeeded();
        line("sync a --column orders.id").failedWith("'a'", "beyond max value 100", "alter that bound");
        line("create b").succeeded();
        line("sync b --column orders.id").failedWith("'b'", "beyond max value 9223372036854775807");
        line("sync b --column orders.id --dry-run").failedWith("'b'", "beyond max value");
    }

    @Test
    void refuses_columns_that_are_none() throws SQLException {
        sql("INSERT INTO orders VALUES (1, 'x')");
        line("create a").succeeded();
        line("sync a --column none.id").failedWith("none");
        line("sync a --column orders.none").failedWith("none");
        line("sync a --column orders.label").failedWith("label");
        line("sync none --column orders.id").failedWith("'none'", "not found");
        line("sync a").refusedWith("--column");
        line("sync a --column orders").refusedWith("TABLE.COLUMN", "'orders'");
        line("sync a --column .id").refusedWith("TABLE.COLUMN");
        line("sync a --column x.y.orders.id").refusedWith("TABLE.COLUMN");
        run("sync", "a", "--column", "orders.id; drop table orders").refusedWith("id; drop");
    }
}
