// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What a feed promises, on each engine. */
abstract class FeedContract {

    Database server;
    JdbcFeeds feeds;

    abstract Engine engine();

    @BeforeEach
    void open() throws SQLException {
        server = engine().freshDatabase();
        sql("CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(100))");
        feeds = JdbcFeeds.open(server.dataSource());
    }

    @AfterEach
    void close() {
        if (feeds != null) {
            feeds.close();
        }
    }

    void sql(String... statements) throws SQLException {
        server.execute(statements);
    }

    Connection begin() throws SQLException {
        Connection connection = server.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static List<Object> keys(List<Entry> entries) {
        return entries.stream().map(Entry::key).toList();
    }

    @Test
    void existing_rows_come_first_and_later_ones_follow() throws SQLException {
        sql("INSERT INTO orders VALUES (7, 'a'), (3, 'b')");
        Feed orders = feeds.table("orders");
        assertThat(orders.settle()).isEqualTo(2);
        sql("INSERT INTO orders VALUES (1, 'c')");
        assertThat(orders.settle()).isEqualTo(3);
        assertThat(keys(orders.read(0, 10))).containsExactly(3L, 7L, 1L);
        assertThat(orders.read(0, 10).stream().map(Entry::position)).containsExactly(1L, 2L, 3L);
        assertThat(keys(orders.read(2, 10))).containsExactly(1L);
        assertThat(orders.select("note").read(2, 10).get(0).text("note")).isEqualTo("c");
        assertThat(orders.check().faults()).isEmpty();
        assertThat(orders.check().notes()).isEmpty();
    }

    @Test
    void from_now_leaves_existing_rows_out() throws SQLException {
        sql("INSERT INTO orders VALUES (7, 'a')");
        Feed orders = feeds.define(FeedDefinition.over("orders").named("late").from(FeedDefinition.From.NOW));
        sql("INSERT INTO orders VALUES (8, 'b')");
        assertThat(orders.settle()).isEqualTo(1);
        assertThat(keys(orders.read(0, 10))).containsExactly(8L);
        assertThat(orders.check().faults()).isEmpty();
        assertThatThrownBy(orders::mend).isInstanceOf(Misconfigured.class);
        assertThat(feeds.list()).containsExactly("late");
    }

    @Test
    void a_rolled_back_row_gets_no_position() throws SQLException {
        Feed orders = feeds.table("orders");
        try (Connection writer = begin()) {
            run(writer, "INSERT INTO orders VALUES (1, 'a')");
            writer.rollback();
            run(writer, "INSERT INTO orders VALUES (2, 'b')");
            writer.commit();
        }
        assertThat(orders.settle()).isEqualTo(1);
        assertThat(keys(orders.read(0, 10))).containsExactly(2L);
    }

    @Test
    void the_view_carries_positions_and_rows() throws SQLException {
        Feed orders = feeds.table("orders");
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b')", "DELETE FROM orders WHERE id = 1");
        orders.settle();
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT position, id, note FROM orders_feed WHERE position > 0 ORDER BY position")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getLong(1)).isEqualTo(2);
            assertThat(row.getString(3)).isEqualTo("b");
            assertThat(row.next()).isFalse();
        }
        assertThat(orders.select("note").read(0, 10).get(0).row()).isEmpty();
        assertThat(orders.check().notes()).containsExactly("1 entry names a row that is gone");
    }

    @Test
    void a_reader_handles_each_position_once_and_a_failure_leaves_its_place() throws SQLException {
        sql("CREATE TABLE bills (id BIGINT NOT NULL)");
        FeedReader billing = feeds.table("orders").reader("billing");
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        FeedReader.Handler<SQLException> bill = (connection, batch) -> {
            for (Entry each : batch) {
                run(connection, "INSERT INTO bills VALUES (" + each.key() + ")");
            }
        };
        assertThat(billing.run(2, bill)).isEqualTo(2);
        assertThat(billing.position()).isEqualTo(2);
        assertThatThrownBy(() -> billing.run(2, (connection, batch) -> {
                    bill.handle(connection, batch);
                    throw new IllegalStateException("planted");
                }))
                .hasMessage("planted");
        assertThat(billing.position()).isEqualTo(2);
        assertThat(billing.run(2, bill)).isEqualTo(1);
        assertThat(billing.run(2, bill)).isZero();
        assertThat(numbers("SELECT id FROM bills ORDER BY id")).containsExactly(1L, 2L, 3L);
        billing.rewind(1);
        List<Object> again = new ArrayList<>();
        assertThat(billing.relay(10, batch -> again.addAll(keys(batch)))).isEqualTo(2);
        assertThat(again).containsExactly(2L, 3L);
        billing.await(3, Duration.ofSeconds(1));
    }

    List<Long> numbers(String query) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            List<Long> numbers = new ArrayList<>();
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
            return numbers;
        }
    }

    @Test
    void a_handler_cannot_end_its_transaction() throws SQLException {
        FeedReader billing = feeds.table("orders").reader("billing");
        sql("INSERT INTO orders VALUES (1, 'a')");
        assertThatThrownBy(() -> billing.run(2, (connection, batch) -> connection.commit()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("must not call commit");
        assertThatThrownBy(() -> billing.run(2, (connection, batch) -> run(connection, "COMMIT")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("has ended its transaction");
        assertThat(billing.position()).isZero();
        assertThat(billing.run(2, (connection, batch) -> connection.close())).isEqualTo(1);
    }

    @Test
    void a_reader_beyond_the_end_is_reported() throws SQLException {
        FeedReader billing = feeds.table("orders").reader("billing");
        sql("INSERT INTO orders VALUES (1, 'a')");
        billing.relay(2, batch -> {});
        sql("DELETE FROM orders_positions");
        assertThatThrownBy(() -> billing.relay(2, batch -> {}))
                .isInstanceOf(Regressed.class)
                .hasMessageContaining("reader 'billing' stands at 1, feed 'orders' ends at 0");
    }

    @Test
    void trim_keeps_the_last_position_and_what_a_reader_has_not_passed() throws SQLException {
        Feed orders = feeds.table("orders");
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        orders.settle();
        assertThat(orders.trim()).isZero();
        orders.reader("one").relay(2, batch -> {});
        assertThat(orders.trim()).isEqualTo(2);
        orders.reader("one").relay(2, batch -> {});
        assertThat(orders.trim()).isZero();
        sql("INSERT INTO orders VALUES (4, 'd')");
        assertThat(orders.settle()).isEqualTo(4);
        assertThat(orders.check().faults()).isEmpty();
    }

    @Test
    void check_finds_rows_without_an_entry_and_mend_enters_them() throws SQLException {
        Feed orders = feeds.table("orders");
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')");
        orders.settle();
        sql("DELETE FROM orders_positions WHERE position IN (2, 4)");
        assertThat(orders.check().faults())
                .contains("2 rows have no entry: the trigger did not run", "1 position is missing");
        assertThat(orders.mend()).isEqualTo(2);
        orders.settle();
        assertThat(orders.check().rowsWithoutEntry()).isZero();
    }

    @Test
    void mend_creates_a_missing_trigger_again() throws SQLException {
        Feed orders = feeds.table("orders");
        sql(
                "DROP TRIGGER orders_arrives" + (engine() == Engine.POSTGRESQL ? " ON orders" : ""),
                "INSERT INTO orders VALUES (1, 'a')");
        assertThat(orders.check().faults())
                .containsExactly(
                        "trigger orders_arrives is missing; 'seriatim feed check orders --mend' creates it again",
                        "1 row has no entry: the trigger did not run");
        assertThat(orders.mend()).isEqualTo(1);
        sql("INSERT INTO orders VALUES (2, 'b')");
        orders.settle();
        assertThat(keys(orders.read(0, 10))).containsExactly(1L, 2L);
        assertThat(orders.check().faults()).isEmpty();
    }

    @Test
    void check_finds_a_missing_or_broken_view_and_mend_creates_it_again() throws SQLException {
        Feed orders = feeds.define(FeedDefinition.over("orders").from(FeedDefinition.From.NOW));
        boolean keepsBrokenViews = engine() == Engine.MARIADB || engine() == Engine.MYSQL;
        for (String breaking : keepsBrokenViews
                ? List.of("DROP VIEW orders_feed", "ALTER TABLE orders DROP COLUMN note")
                : List.of("DROP VIEW orders_feed")) {
            sql(breaking);
            assertThat(orders.check().faults())
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .startsWith("view orders_feed: ")
                    .endsWith("; 'seriatim feed check orders --mend' creates it again");
            assertThat(orders.mend()).isZero();
            assertThat(orders.check().faults()).isEmpty();
        }
    }

    @Test
    void another_key_or_beginning_is_refused() throws SQLException {
        sql("CREATE TABLE items (id BIGINT NOT NULL PRIMARY KEY, item BIGINT NOT NULL UNIQUE)");
        feeds.table("items");
        feeds.define(FeedDefinition.over("items").key("id"));
        for (FeedDefinition other : List.of(
                FeedDefinition.over("items").key("item"),
                FeedDefinition.over("items").from(FeedDefinition.From.NOW))) {
            assertThatThrownBy(() -> feeds.define(other))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("feed 'items' has the key id, from BEGINNING; define it so")
                    .hasMessageContaining("feed drop");
        }
    }

    @RepeatedTest(5)
    void two_that_make_a_feed_at_once_share_it() throws Exception {
        feeds.install();
        try (JdbcFeeds others = JdbcFeeds.open(server.dataSource())) {
            CompletableFuture<Feed> other = CompletableFuture.supplyAsync(() -> others.table("orders"));
            Feed orders = feeds.table("orders");
            sql("INSERT INTO orders VALUES (1, 'a')");
            assertThat(orders.settle()).isEqualTo(1);
            assertThat(other.get(60, TimeUnit.SECONDS).last()).isEqualTo(1);
        }
    }

    @Test
    void an_empty_name_is_refused() {
        assertThatThrownBy(() -> feeds.table("orders").reader(""))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("the name of a reader must not be empty");
    }

    @Test
    void a_dropped_feed_leaves_the_table() throws SQLException {
        feeds.table("orders").reader("billing").relay(1, batch -> {});
        feeds.drop("orders");
        sql("INSERT INTO orders VALUES (1, 'a')");
        assertThat(feeds.list()).isEmpty();
        assertThatThrownBy(() -> feeds.drop("orders"))
                .isInstanceOf(NotFound.class)
                .hasMessageContaining("feed 'orders' not found in")
                .hasMessageContaining("'seriatim feed list' shows the feeds");
        assertThat(feeds.table("orders").settle()).isEqualTo(1);
    }

    @Test
    void names_that_are_taken_are_refused() throws SQLException {
        sql("CREATE TABLE orders_inbox (a BIGINT)", "CREATE TABLE orders_positions (a BIGINT)");
        assertThatThrownBy(() -> feeds.table("orders"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("which exists");
        assertThat(feeds.list()).isEmpty();
    }

    @Test
    void tables_that_cannot_have_a_feed_are_refused() throws SQLException {
        assertThatThrownBy(() -> feeds.table("missing"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("'missing' not found");
        sql("CREATE TABLE keyless (a BIGINT)", "CREATE VIEW orders_now AS SELECT * FROM orders");
        assertThatThrownBy(() -> feeds.table("keyless"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("no primary key");
        assertThatThrownBy(() -> feeds.define(FeedDefinition.over("keyless").key("a")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("can be null");
        assertThatThrownBy(() -> feeds.table("orders_now"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("not an ordinary table");
        String quote = engine() == Engine.MARIADB || engine() == Engine.MYSQL ? "`" : "\"";
        sql("CREATE TABLE hostile (" + quote + "a" + quote + quote + "b" + quote + " BIGINT NOT NULL PRIMARY KEY)");
        assertThatThrownBy(() -> feeds.table("hostile"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("cannot be used");
        feeds.table("orders");
        assertThatThrownBy(() -> feeds.table("orders_positions"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("Seriatim's own");
    }

    @Test
    void a_key_of_several_columns_and_odd_names() throws SQLException {
        String quote = engine() == Engine.MARIADB || engine() == Engine.MYSQL ? "`" : "\"";
        String name = (quote + "Order lines of a rather long name, 63 characters at the most" + quote);
        sql("CREATE TABLE " + name + " (region VARCHAR(10) NOT NULL, " + quote + "no in region" + quote
                + " INT NOT NULL, position INT, PRIMARY KEY (region, " + quote + "no in region" + quote + "))");
        Feed lines = feeds.define(FeedDefinition.over("Order lines of a rather long name, 63 characters at the most"));
        sql("INSERT INTO " + name + " VALUES ('eu', 5, 1), ('us', 2, 1)");
        assertThat(lines.settle()).isEqualTo(2);
        assertThat(lines.read(0, 5).stream().map(Entry::key)).containsExactly(List.of("eu", 5L), List.of("us", 2L));
        assertThat(numbers("SELECT feed_position FROM " + lines.view() + " ORDER BY 1"))
                .containsExactly(1L, 2L);
        assertThat(lines.check().faults()).isEmpty();
    }

    @Test
    void a_key_has_no_column_of_the_feeds_own() throws SQLException {
        sql(
                "CREATE TABLE steps (job BIGINT NOT NULL, position BIGINT NOT NULL, PRIMARY KEY (job, position))",
                "CREATE TABLE trains (arrival BIGINT NOT NULL PRIMARY KEY)");
        assertThatThrownBy(() -> feeds.table("steps"))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("column 'position' of table 'steps' cannot be in a key, since the feed has a column of that"
                        + " name; rename it");
        if (engine() == Engine.SQLITE) {
            sql("INSERT INTO trains VALUES (5)");
            assertThat(keys(feeds.table("trains").read(0, 9))).containsExactly(5L);
        } else {
            assertThatThrownBy(() -> feeds.table("trains"))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("column 'arrival' of table 'trains' cannot be in a key");
        }
    }

    @Test
    void the_view_names_the_position_as_no_column_of_the_table() throws SQLException {
        sql("CREATE TABLE steps (id BIGINT NOT NULL PRIMARY KEY, position BIGINT, feed_position BIGINT)");
        Feed steps = feeds.table("steps");
        sql("INSERT INTO steps VALUES (5, 6, 7)");
        steps.settle();
        assertThat(numbers("SELECT feed_feed_position FROM steps_feed")).containsExactly(1L);
        assertThat(numbers("SELECT position + feed_position FROM steps_feed")).containsExactly(13L);
    }

    @Test
    void a_reader_follows_in_transactions_that_the_caller_begins() throws SQLException {
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        FeedReader reader = feeds.table("orders").reader("billing");
        List<Object> seen = new ArrayList<>();
        reader.follow(() -> seen.size() < 2, () -> {
            try (Connection own = begin()) {
                int handled = reader.run(own, 1, (transaction, batch) -> seen.addAll(keys(batch)));
                own.commit();
                return handled;
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(seen).containsExactly(1L, 2L);
        assertThat(reader.position()).isEqualTo(2);
        assertThat(feeds.opened()).extracting(Feed::name).containsExactly("orders");
    }

    @Test
    void a_listener_is_called_for_each_message() throws SQLException {
        List<String> appended = new ArrayList<>();
        FeedListener listener = new FeedListener() {
            @Override
            public void appended(String feed) {
                appended.add(feed);
            }
        };
        try (JdbcFeeds open = JdbcFeeds.open(server.dataSource(), settings -> settings.listener(listener));
                Connection writer = begin()) {
            open.outbox("shipping").append(writer, "4711", "shipped", "{}");
            writer.rollback();
        }
        assertThat(appended).containsExactly("shipping");
    }

    @Test
    void an_outbox_hands_messages_on_in_order() throws SQLException {
        Outbox outbox = feeds.outbox("shipping");
        try (Connection writer = begin()) {
            outbox.append(writer, "4711", "shipped", "{}");
            outbox.append(writer, null, "billed", "{\"a\": 1}");
            writer.commit();
        }
        List<String> sent = new ArrayList<>();
        FeedReader relay = outbox.reader("relay");
        assertThat(relay.relay(10, batch -> batch.forEach(each -> sent.add(each.text("type") + each.text("payload")))))
                .isEqualTo(2);
        assertThat(sent).containsExactly("shipped{}", "billed{\"a\": 1}");
        assertThat(outbox.trim()).isEqualTo(1);
        assertThat(numbers("SELECT id FROM shipping")).hasSize(1);
        assertThat(feeds.outbox("shipping").feed().last()).isEqualTo(2);
    }

    @Test
    void writers_that_commit_late_lose_no_row() throws Exception {
        Feed orders = feeds.table("orders");
        LossCheck check = new LossCheck(server, orders, 3_000);
        check.run();
        assertThat(check.lost()).isZero();
        assertThat(check.twice()).isZero();
        assertThat(check.outOfOrder()).isZero();
        assertThat(orders.read(0, 100_000).stream().mapToLong(Entry::position).toArray())
                .isEqualTo(LongStream.rangeClosed(1, orders.last()).toArray());
        assertThat(orders.check().faults()).isEmpty();
    }
}
