// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainTableTest {

    @TempDir
    Path folder;

    @BeforeEach
    void tables() throws SQLException {
        sql("CREATE TABLE sequences (name VARCHAR(128) NOT NULL PRIMARY KEY, next_value BIGINT NOT NULL)");
        sql("INSERT INTO sequences VALUES ('orders', 42)");
        sql("CREATE TABLE seq_table (seq_name VARCHAR(30) NOT NULL PRIMARY KEY, last_val INT NOT NULL)");
        sql("INSERT INTO seq_table VALUES ('orders', 42)");
    }

    @Test
    void the_counter_is_the_value_drawn_next() throws SQLException {
        try (OpenStore store = StoreDriver.open(url("kind=next&table=sequences"))) {
            assertThat(store.reserve("orders", 3).block()).isEqualTo(new Block(42, 3, 1));
            assertThat(store.reserve("orders", 2).block()).isEqualTo(new Block(45, 2, 1));
            assertThat(number("SELECT next_value FROM sequences")).isEqualTo(47);
        }
    }

    @Test
    void the_counter_is_the_value_drawn_last() throws SQLException {
        try (OpenStore store = StoreDriver.open(url("kind=last&table=seq_table"))) {
            assertThat(store.reserve("orders", 3).block()).isEqualTo(new Block(43, 3, 1));
            assertThat(store.reserve("orders", 2).block()).isEqualTo(new Block(46, 2, 1));
            assertThat(number("SELECT last_val FROM seq_table")).isEqualTo(47);
        }
    }

    @Test
    void a_counter_of_the_value_drawn_last_reaches_the_end_of_64_bits() throws SQLException {
        sql("UPDATE seq_table SET last_val = " + (Long.MAX_VALUE - 3));
        try (OpenStore store = StoreDriver.open(url("kind=last&table=seq_table"))) {
            assertThat(store.reserve("orders", 1).block().first()).isEqualTo(Long.MAX_VALUE - 2);
            assertThat(store.reserve("orders", 9).block()).isEqualTo(new Block(Long.MAX_VALUE - 1, 2, 1));
            assertThatThrownBy(() -> store.reserve("orders", 1)).isInstanceOf(Exhausted.class);
            assertThat(number("SELECT last_val FROM seq_table")).isEqualTo(Long.MAX_VALUE);
            assertThat(store.describe("orders").usedUp()).isTrue();
        }
    }

    @Test
    void a_counter_of_the_value_drawn_next_goes_one_step_past_its_end() throws SQLException {
        sql("UPDATE sequences SET next_value = " + (Long.MAX_VALUE - 3));
        try (OpenStore store = StoreDriver.open(url("kind=next&table=sequences"))) {
            Reservation rest = store.reserve("orders", 9);
            assertThat(rest.block()).isEqualTo(new Block(Long.MAX_VALUE - 3, 3, 1));
            assertThatThrownBy(() -> store.reserve("orders", 1)).isInstanceOf(Exhausted.class);
            assertThat(number("SELECT next_value FROM sequences")).isEqualTo(Long.MAX_VALUE);
            assertThat(store.giveBack("orders", new Block(Long.MAX_VALUE - 1, 1, 1), rest.epoch()))
                    .isTrue();
            assertThat(store.reserve("orders", 1).block().first()).isEqualTo(Long.MAX_VALUE - 1);
        }
    }

    @Test
    void the_url_says_what_the_sequences_of_the_table_are() {
        try (OpenStore store = StoreDriver.open(
                url("kind=last&table=seq_table&increment-by=-10&max-value=50&min-value=0&start-with=50&cache=2"))) {
            assertThat(store.reserve("orders", 0).block()).isEqualTo(new Block(32, 2, -10));
            assertThat(store.reserve("orders", 7).block()).isEqualTo(new Block(12, 2, -10));
            assertThatThrownBy(() -> store.reserve("orders", 7)).isInstanceOf(Exhausted.class);
        }
    }

    @Test
    void one_statement_draws_from_a_plain_table() {
        WatchedSource watched = new WatchedSource(folder.resolve("numbers.db"));
        JdbcStore store =
                JdbcStore.open(watched.source(), SequenceTable.lastValue("seq_table", "seq_name", "last_val"));
        store.reserve("orders", 5);
        watched.statements.clear();
        assertThat(store.reserve("orders", 5).block()).isEqualTo(new Block(48, 5, 1));
        assertThat(watched.statements).hasSize(1);
    }

    @Test
    void rows_are_created_restarted_and_dropped() {
        try (OpenStore store = StoreDriver.open(url("kind=next&table=sequences"))) {
            store.create(SequenceDefinition.named("invoices").startWith(7L).build());
            assertThatThrownBy(() -> store.create(SequenceDefinition.of("invoices")))
                    .isInstanceOf(AlreadyExists.class);
            assertThat(store.reserve("invoices", 1).block().first()).isEqualTo(7);
            assertThat(store.restart("invoices", 3).epoch()).isZero();
            assertThat(store.reserve("invoices", 1).block().first()).isEqualTo(3);
            assertThat(store.list()).hasSize(2);
            store.drop("invoices");
            assertThatThrownBy(() -> store.reserve("invoices", 1)).isInstanceOf(NotFound.class);
        }
    }

    @Test
    void what_a_plain_row_cannot_hold_is_refused() {
        try (OpenStore store = StoreDriver.open(url("kind=next&table=sequences"))) {
            assertThatThrownBy(() ->
                            store.alter("orders", d -> d.toBuilder().cache(5).build()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("only the counter");
            assertThatThrownBy(() -> store.create(
                            SequenceDefinition.named("x").incrementBy(3).build()))
                    .isInstanceOf(Misconfigured.class);
            assertThat(store.list()).hasSize(1);
        }
        assertThatThrownBy(() -> SequenceTable.nextValue("sequences", "name", "next_value")
                        .with(b -> b.maxValue(Long.MAX_VALUE)))
                .isInstanceOf(Misconfigured.class);
        assertThatThrownBy(() -> SequenceTable.own("a;b")).isInstanceOf(Misconfigured.class);
    }

    @Test
    void a_misnamed_column_is_told_and_not_taken_for_a_text() {
        try (OpenStore store = StoreDriver.open(url("kind=next&table=sequences&name-column=nme"))) {
            assertThatThrownBy(() -> store.reserve("orders", 1))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("nme");
        }
    }

    @Test
    void a_sequence_with_two_rows_is_refused() throws SQLException {
        sql("CREATE TABLE loose (name TEXT, next_value INTEGER)");
        sql("INSERT INTO loose VALUES ('orders', 1), ('orders', 5)");
        try (OpenStore store = StoreDriver.open(url("kind=next&table=loose"))) {
            assertThatThrownBy(() -> store.reserve("orders", 1))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("more than one row");
        }
        assertThat(number("SELECT min(next_value) FROM loose")).isEqualTo(1);
    }

    private String url(String options) {
        return "sqlite:" + folder.resolve("numbers.db") + "?" + options;
    }

    private long number(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void sql(String text) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("numbers.db"));
    }
}
