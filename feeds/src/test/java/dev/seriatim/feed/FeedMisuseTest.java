// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What writers, operators and handlers do to a feed that they should not, or seldom do. */
class FeedMisuseTest {

    private static final String MARIADB = "MARIADB";
    private static final String POSTGRESQL = "POSTGRESQL";

    @FunctionalInterface
    private interface Change {
        void on(Connection connection) throws SQLException;
    }

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Database server = new Database("", "", Map.of(), "", "");

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    /** Makes a table and its feed. */
    private Feed orders(Engine engine) throws SQLException {
        return orders(engine.freshDatabase());
    }

    private Feed orders(Database database) throws SQLException {
        server = database;
        sql("CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(100))");
        return open(server.dataSource()).table("orders");
    }

    private JdbcFeeds open(DataSource source) {
        JdbcFeeds feeds = JdbcFeeds.open(source, settings -> settings.patience(Duration.ofSeconds(20)));
        opened.add(feeds);
        return feeds;
    }

    private Connection connect() throws SQLException {
        Connection connection = server.connect();
        opened.add(connection);
        return connection;
    }

    private Connection begin() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private void sql(String... statements) throws SQLException {
        server.execute(statements);
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private String query(String text) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(text)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    /** Returns the keys of the feed's entries, in their order, without gaps. */
    private static List<Object> keys(Feed feed) {
        feed.settle();
        List<Entry> entries = feed.read(0, 100_000);
        assertThat(entries.stream().mapToLong(Entry::position))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, feed.last()).boxed().toList());
        return entries.stream().map(Entry::key).toList();
    }

    private static DataSource with(DataSource source, Change change) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    try {
                        Object result = method.invoke(source, arguments);
                        if (result instanceof Connection connection) {
                            change.on(connection);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    // Writers

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_1_a_savepoint_that_is_rolled_back_leaves_no_entry(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        Connection writer = begin();
        run(writer, "INSERT INTO orders VALUES (1, 'a')", "SAVEPOINT s", "INSERT INTO orders VALUES (2, 'b')");
        run(writer, "ROLLBACK TO SAVEPOINT s", "INSERT INTO orders VALUES (3, 'c')", "COMMIT");
        assertThat(keys(orders)).containsExactly(1L, 3L);
    }

    @Test
    void row_1_also_after_immediate_constraints() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        Connection writer = begin();
        run(writer, "SAVEPOINT s", "SET CONSTRAINTS ALL IMMEDIATE", "INSERT INTO orders VALUES (1, 'a')");
        run(writer, "ROLLBACK TO SAVEPOINT s", "INSERT INTO orders VALUES (2, 'b')", "COMMIT");
        assertThat(keys(orders)).containsExactly(2L);
    }

    @Test
    void row_2_a_prepared_transaction_makes_nobody_wait_and_is_stamped_when_it_commits() throws Exception {
        Server own = Server.postgresql(Map.of("max_prepared_transactions", "5"));
        opened.add(own);
        Feed orders = orders(own.freshDatabase());
        run(connect(), "BEGIN", "INSERT INTO orders VALUES (1, 'a')", "PREPARE TRANSACTION 'one'");
        for (int i = 2; i <= 5; i++) {
            sql("INSERT INTO orders VALUES (" + i + ", 'b')");
            assertThat(orders.stamp()).isEqualTo(1);
            Thread.sleep(210); // observed
        }
        own.kill();
        own.restart();
        sql("INSERT INTO orders VALUES (6, 'c')");
        Feed again = open(server.dataSource()).table("orders");
        for (int i = 0; i < 3; i++) {
            again.stamp();
            Thread.sleep(210);
        }
        sql("COMMIT PREPARED 'one'");
        assertThat(keys(again)).containsExactly(2L, 3L, 4L, 5L, 6L, 1L);
    }

    @Test
    void row_2_likewise_an_xa_transaction() throws SQLException {
        Feed orders = orders(Engine.MARIADB);
        Connection writer = connect();
        String xid = "'" + server.name() + "'";
        run(writer, "XA START " + xid, "INSERT INTO orders VALUES (1, 'a')", "XA END " + xid, "XA PREPARE " + xid);
        sql("INSERT INTO orders VALUES (2, 'b')");
        assertThat(keys(orders)).containsExactly(2L);
        run(writer, "XA COMMIT " + xid);
        assertThat(keys(orders)).containsExactly(2L, 1L);
    }

    @Test
    void row_3_immediate_constraints_give_the_order_of_the_inserts() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        Connection early = begin();
        run(early, "SET CONSTRAINTS ALL IMMEDIATE", "INSERT INTO orders VALUES (1, 'a')");
        Connection late = begin();
        run(late, "INSERT INTO orders VALUES (2, 'b')");
        late.commit();
        early.commit();
        assertThat(keys(orders)).containsExactly(1L, 2L);
    }

    @Test
    void row_4_each_copied_merged_or_selected_row_has_an_entry() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        sql(
                "COPY orders FROM PROGRAM 'printf \"1 a\\n2 b\\n\"' (DELIMITER ' ')",
                "INSERT INTO orders SELECT generate_series(3, 5), 'c'",
                "MERGE INTO orders o USING (VALUES (5), (6)) v(id) ON o.id = v.id WHEN MATCHED THEN UPDATE SET note = 'd'"
                        + " WHEN NOT MATCHED THEN INSERT VALUES (v.id, 'd')",
                "WITH made AS (INSERT INTO orders VALUES (7, 'e') RETURNING id) SELECT * FROM made");
        assertThat(keys(orders)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void row_4_each_loaded_or_replaced_row_has_an_entry(@TempDir Path folder) throws Exception {
        Feed orders = orders(Engine.MARIADB);
        Path file = Files.writeString(folder.resolve("orders"), "1\ta\n2\tb\n");
        try (Connection writer = server.option("allowLocalInfile", "true").connect()) {
            run(writer, "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE orders");
        }
        sql("INSERT INTO orders SELECT id + 2, note FROM orders", "REPLACE INTO orders VALUES (5, 'c')");
        assertThat(keys(orders)).containsExactly(1L, 2L, 3L, 4L, 5L);
        sql("REPLACE INTO orders VALUES (5, 'd')"); // deletes it and inserts it again
        assertThat(keys(orders)).endsWith(5L, 5L);
    }

    @Test
    void row_5_an_insert_that_inserts_nothing_has_no_entry() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        sql(
                "INSERT INTO orders VALUES (1, 'a')",
                "INSERT INTO orders VALUES (1, 'b') ON CONFLICT DO NOTHING",
                "INSERT INTO orders VALUES (1, 'c') ON CONFLICT (id) DO UPDATE SET note = 'c'");
        assertThat(keys(orders)).containsExactly(1L);
    }

    @Test
    void row_5_likewise_on_mariadb() throws SQLException {
        Feed orders = orders(Engine.MARIADB);
        sql(
                "INSERT INTO orders VALUES (1, 'a')",
                "INSERT IGNORE INTO orders VALUES (1, 'b')",
                "INSERT INTO orders VALUES (1, 'c') ON DUPLICATE KEY UPDATE note = 'c'");
        assertThat(keys(orders)).containsExactly(1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void row_6_isolated_writers_meet_no_conflict(int isolation) throws SQLException {
        for (Engine engine : List.of(Engine.POSTGRESQL, Engine.MARIADB)) {
            Feed orders = orders(engine);
            Connection one = begin();
            Connection other = begin();
            one.setTransactionIsolation(isolation);
            other.setTransactionIsolation(isolation);
            for (int i = 0; i < 40; i += 2) {
                run(one, "INSERT INTO orders VALUES (" + i + ", 'a')");
                run(other, "INSERT INTO orders VALUES (" + (i + 1) + ", 'a')");
                orders.stamp();
                one.commit();
                orders.stamp();
                other.commit();
            }
            assertThat(keys(orders)).hasSize(40);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_7_a_pass_waits_for_nobody_whatever_the_isolation_of_its_connection(Engine engine) throws SQLException {
        orders(engine);
        for (int isolation : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            Feed orders = open(with(server.dataSource(), made -> made.setTransactionIsolation(isolation)))
                    .table("orders");
            Connection writer = begin();
            run(writer, "INSERT INTO orders VALUES (" + isolation + ", 'a')");
            sql("INSERT INTO orders VALUES (" + (isolation + 100) + ", 'b')");
            long began = System.nanoTime();
            assertThat(orders.stamp()).isEqualTo(1);
            assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(10));
            writer.commit();
            assertThat(orders.stamp()).isEqualTo(1);
        }
    }

    @Test
    void row_8_truncate_is_refused() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        sql("INSERT INTO orders VALUES (1, 'a')");
        assertThatThrownBy(() -> sql("TRUNCATE orders"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55000"))
                .hasMessageContaining("drop the feed first");
        sql("DROP TRIGGER orders_keeps ON orders");
        assertThat(orders.check().faults()).singleElement().asString().startsWith("trigger orders_keeps is missing; ");
        orders.mend();
        assertThatThrownBy(() -> sql("TRUNCATE orders")).hasMessageContaining("drop the feed first");
        assertThat(keys(orders)).containsExactly(1L);
    }

    @Test
    void a_feed_is_not_dropped_while_a_session_reads_its_table() throws SQLException {
        orders(Engine.POSTGRESQL);
        JdbcFeeds feeds = open(server.dataSource());
        try (Connection reading = begin()) {
            run(reading, "SELECT * FROM orders");
            assertThatThrownBy(() -> feeds.drop("orders"))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("table 'orders' is in use by another session");
            reading.rollback();
        }
        feeds.drop("orders");
        assertThat(feeds.list()).isEmpty();
    }

    @Test
    void a_view_is_not_renewed_while_a_poller_reads_it_and_others_wait_no_longer_than_2_seconds() throws SQLException {
        orders(Engine.POSTGRESQL);
        sql("ALTER TABLE orders ADD COLUMN paid INT");
        JdbcFeeds feeds = open(server.dataSource());
        try (Connection polling = begin()) {
            run(polling, "SELECT * FROM orders_feed");
            long began = System.nanoTime();
            assertThatThrownBy(() -> feeds.define(FeedDefinition.over("orders")))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("view 'orders_feed' is in use by another session");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
            polling.rollback();
        }
        feeds.define(FeedDefinition.over("orders"));
        assertThat(query("SELECT count(paid) FROM orders_feed")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB, "SQLITE"})
    void a_key_that_is_not_unique_is_refused(Engine engine) throws SQLException {
        server = engine.freshDatabase();
        sql(
                "CREATE TABLE orders (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL)",
                "CREATE UNIQUE INDEX pair ON orders (a, b)",
                "CREATE INDEX several ON orders (c)");
        if (engine != Engine.MARIADB) {
            sql("CREATE UNIQUE INDEX partly ON orders (c) WHERE a > 5");
        }
        JdbcFeeds feeds = open(server.dataSource());
        for (List<String> key : List.of(List.of("a"), List.of("c"), List.of("b", "c"))) {
            assertThatThrownBy(() -> feeds.define(FeedDefinition.over("orders").key(key.toArray(String[]::new))))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("table 'orders' has no unique index over " + String.join(", ", key));
        }
        for (String[] key : List.of(new String[] {"b", "a"}, new String[] {"a", "c", "b"}, new String[] {"id"})) {
            feeds.define(FeedDefinition.over("orders").key(key));
            feeds.drop("orders");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB, "SQLITE"})
    void messages_that_another_feed_has_are_not_trimmed(Engine engine) throws SQLException {
        server = engine.freshDatabase();
        JdbcFeeds feeds = open(server.dataSource());
        Outbox outbox = feeds.outbox("shipping");
        feeds.define(FeedDefinition.over("shipping").named("audit"));
        sql("INSERT INTO shipping (type, payload) VALUES ('sent', '1'), ('sent', '2')");
        outbox.reader("relay").rewind(outbox.feed().settle());
        assertThatThrownBy(outbox::trim)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("feed 'audit' also stands over the messages of feed 'shipping'");
        assertThat(outbox.feed().trim()).isEqualTo(1);
        assertThat(query("SELECT count(*) FROM shipping")).isEqualTo("2");
        feeds.drop("audit");
        assertThat(outbox.trim()).isZero();
    }

    @Test
    void an_old_snapshot_of_mariadb_is_no_regression() throws SQLException {
        Feed orders = orders(Engine.MARIADB);
        FeedReader reader = orders.reader("one");
        try (Connection old = begin()) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            run(old, "SELECT * FROM orders");
            sql("INSERT INTO orders VALUES (1, 'a')");
            assertThat(reader.relay(9, batch -> {})).isEqualTo(1);
            assertThat(reader.run(old, 9, (connection, batch) -> {})).isZero();
            old.commit();
            sql("DELETE FROM orders_positions");
            assertThatThrownBy(() -> reader.run(old, 9, (connection, batch) -> {}))
                    .isInstanceOf(Regressed.class);
        }
    }

    @Test
    void an_outbox_of_mariadb_is_trimmed_within_the_patience() throws SQLException {
        server = Engine.MARIADB.freshDatabase();
        Outbox outbox = open(server.dataSource()).outbox("shipping");
        sql("INSERT INTO shipping (type, payload) SELECT 'sent', seq FROM seq_1_to_8000");
        outbox.reader("relay").rewind(outbox.feed().settle());
        assertThat(outbox.trim()).isEqualTo(7_999);
        assertThat(query("SELECT count(*) FROM shipping")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_reader_that_another_process_removed_begins_again(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a')");
        orders.settle();
        FeedReader reader = orders.reader("one");
        assertThat(runs(reader)).isEqualTo(1);
        open(server.dataSource()).table("orders").reader("one").forget();
        assertThat(runs(reader)).isZero();
        assertThat(runs(reader)).isEqualTo(1);
    }

    private int runs(FeedReader reader) throws SQLException {
        try (Connection connection = begin()) {
            int handled = reader.run(connection, 10, (lent, batch) -> {});
            connection.commit();
            return handled;
        }
    }

    @Test
    void a_feed_without_its_positions_is_dropped_and_made_again() throws SQLException {
        orders(Engine.POSTGRESQL);
        sql("DROP TABLE orders_positions CASCADE");
        JdbcFeeds feeds = open(server.dataSource());
        assertThatThrownBy(() -> feeds.define(FeedDefinition.over("orders")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("orders_feed")
                .hasMessageContaining("run 'seriatim feed drop orders', and create the feed again");
        feeds.drop("orders");
        feeds.define(FeedDefinition.over("orders"));
    }

    @Test
    void row_8_check_finds_what_mariadb_has_truncated() throws SQLException {
        Feed orders = orders(Engine.MARIADB);
        sql("INSERT INTO orders VALUES (1, 'a')");
        orders.settle();
        sql("TRUNCATE orders");
        assertThat(orders.check().entriesWithoutRow()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_9_a_key_used_again_has_two_entries(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a')");
        orders.settle();
        sql("DELETE FROM orders", "INSERT INTO orders VALUES (1, 'b')");
        assertThat(keys(orders)).containsExactly(1L, 1L);
        assertThat(orders.select("note").read(0, 1).get(0).text("note")).isEqualTo("b");
        assertThat(orders.check().keysTwice()).isEqualTo(1);
    }

    @Test
    void row_10_check_finds_rows_without_trigger_and_mend_enters_them() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        sql("SET session_replication_role = replica", "INSERT INTO orders VALUES (1, 'a')");
        sql("ALTER TABLE orders DISABLE TRIGGER orders_arrives");
        sql("INSERT INTO orders VALUES (2, 'b')");
        assertThat(orders.settle()).isZero();
        assertThat(orders.check().faults())
                .containsExactly(
                        "trigger orders_arrives is disabled; 'seriatim feed check orders --mend' creates it again",
                        "2 rows have no entry: the trigger did not run");
        sql("ALTER TABLE orders ENABLE TRIGGER orders_arrives");
        orders.mend();
        assertThat(keys(orders)).containsExactly(1L, 2L);
        assertThat(orders.check().faults()).isEmpty();
    }

    @Test
    void rows_11_and_12_partitions() throws SQLException {
        server = Engine.POSTGRESQL.freshDatabase();
        sql(
                "CREATE TABLE orders (id bigint, region text, PRIMARY KEY (id, region)) PARTITION BY LIST (region)",
                "CREATE TABLE orders_eu PARTITION OF orders FOR VALUES IN ('eu')");
        Feed orders = open(server.dataSource()).table("orders");
        sql(
                "INSERT INTO orders_eu VALUES (1, 'eu')",
                "CREATE TABLE orders_us PARTITION OF orders FOR VALUES IN ('us')",
                "INSERT INTO orders VALUES (2, 'us')",
                "CREATE TABLE orders_as (id bigint NOT NULL, region text NOT NULL)",
                "INSERT INTO orders_as VALUES (3, 'as')",
                "ALTER TABLE orders ATTACH PARTITION orders_as FOR VALUES IN ('as')",
                "INSERT INTO orders_as VALUES (4, 'as')",
                "UPDATE orders SET region = 'us' WHERE id = 1");
        assertThat(keys(orders))
                .containsExactly(List.of(1L, "eu"), List.of(2L, "us"), List.of(4L, "as"), List.of(1L, "us"));
        assertThat(orders.check().rowsWithoutEntry()).isEqualTo(1);
    }

    @Test
    void check_finds_a_trigger_that_is_disabled_on_a_partition_and_mend_makes_it_again() throws SQLException {
        server = Engine.POSTGRESQL.freshDatabase();
        sql(
                "CREATE TABLE orders (id bigint PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE orders_low PARTITION OF orders FOR VALUES FROM (0) TO (100) PARTITION BY RANGE (id)",
                "CREATE TABLE orders_lowest PARTITION OF orders_low FOR VALUES FROM (0) TO (10)");
        Feed orders = open(server.dataSource()).table("orders");
        sql("ALTER TABLE orders_lowest DISABLE TRIGGER ALL", "INSERT INTO orders VALUES (1)");
        assertThat(orders.check().faults())
                .containsExactly(
                        "trigger orders_arrives is disabled on orders_lowest;"
                                + " 'seriatim feed check orders --mend' creates it again",
                        "1 row has no entry: the trigger did not run");
        assertThat(orders.mend()).isEqualTo(1);
        sql("INSERT INTO orders VALUES (2)");
        assertThat(keys(orders)).containsExactly(1L, 2L);
        assertThat(orders.check().faults()).isEmpty();
    }

    @Test
    void a_table_with_children_gets_no_feed_and_a_child_does() throws SQLException {
        server = Engine.POSTGRESQL.freshDatabase();
        sql("CREATE TABLE orders (id bigint PRIMARY KEY)", "CREATE TABLE paid (PRIMARY KEY (id)) INHERITS (orders)");
        JdbcFeeds feeds = open(server.dataSource());
        assertThatThrownBy(() -> feeds.table("orders"))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("table 'orders' has child tables whose rows would get no position;"
                        + " name the child, or use partitions");
        Feed paid = feeds.table("paid");
        sql("INSERT INTO paid VALUES (1)");
        assertThat(keys(paid)).containsExactly(1L);
    }

    @Test
    void row_13_writers_need_no_rights_on_the_inbox_and_cannot_call_its_function() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        String writer = server.name() + "_writer";
        sql("CREATE ROLE " + writer, "GRANT INSERT ON orders TO " + writer);
        try {
            sql("SET ROLE " + writer, "INSERT INTO orders VALUES (1, 'a')");
            assertThat(keys(orders)).containsExactly(1L);
            for (String statement : List.of("INSERT INTO orders_inbox (id) VALUES (2)", "SELECT orders_arrives()")) {
                assertThatThrownBy(() -> sql("SET ROLE " + writer, statement))
                        .hasMessageContaining("permission denied");
            }
        } finally {
            sql("DROP OWNED BY " + writer, "DROP ROLE " + writer);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_14_the_entry_stays_if_the_row_goes_or_its_key_changes(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b')");
        sql("DELETE FROM orders WHERE id = 1", "UPDATE orders SET id = 3 WHERE id = 2");
        assertThat(keys(orders)).containsExactly(1L, 2L);
        assertThat(orders.select("note").read(0, 2))
                .allMatch(entry -> entry.row().isEmpty());
        assertThat(orders.check().entriesWithoutRow()).isEqualTo(2);
        assertThat(orders.check().rowsWithoutEntry()).isEqualTo(1);
    }

    // Operators

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void a_table_that_a_session_writes_to_gets_no_feed_and_the_session_is_named(Engine engine) throws SQLException {
        orders(engine);
        sql("CREATE TABLE items (id BIGINT NOT NULL PRIMARY KEY)");
        Connection writer = begin();
        run(writer, "INSERT INTO items VALUES (1)");
        JdbcFeeds feeds = open(server.dataSource());
        assertThatThrownBy(() -> feeds.table("items"))
                .isInstanceOf(Overloaded.class)
                .hasMessageMatching("table 'items' is in use by session \\d+ \\(.*Nothing is changed");
        assertThat(feeds.list()).containsExactly("orders");
        writer.commit();
        assertThat(keys(feeds.table("items"))).containsExactly(1L);
    }

    @ParameterizedTest
    @CsvSource({
        "orders_inbox_arrival_seq, CREATE SEQUENCE orders_inbox_arrival_seq",
        "orders_arrives, CREATE FUNCTION orders_arrives() RETURNS int LANGUAGE sql AS $$SELECT 1$$",
        "orders_keeps, CREATE FUNCTION orders_keeps() RETURNS int LANGUAGE sql AS $$SELECT 1$$",
        "orders_keeps, CREATE TRIGGER orders_keeps BEFORE UPDATE ON orders FOR EACH ROW"
                + " EXECUTE FUNCTION suppress_redundant_updates_trigger()"
    })
    void names_of_the_feeds_sequence_functions_and_triggers_may_not_be_taken(String name, String statement)
            throws SQLException {
        server = Engine.POSTGRESQL.freshDatabase();
        sql("CREATE TABLE orders (id bigint PRIMARY KEY)", statement);
        assertThatThrownBy(() -> open(server.dataSource()).table("orders"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("feed 'orders' would create '" + name + "', which exists");
    }

    @ParameterizedTest
    @EnumSource(names = {MARIADB, "SQLITE"})
    void a_trigger_with_the_name_of_the_feeds_is_refused_and_stays(Engine engine) throws SQLException {
        server = engine.freshDatabase();
        sql("CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY)", "CREATE TABLE copies (id INTEGER)");
        String body = "INSERT INTO copies VALUES (NEW.id)";
        sql("CREATE TRIGGER orders_arrives AFTER INSERT ON orders "
                + (engine == Engine.SQLITE ? "BEGIN " + body + "; END" : "FOR EACH ROW " + body));
        assertThatThrownBy(() -> open(server.dataSource()).table("orders"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("feed 'orders' would create 'orders_arrives', which exists");
        sql("INSERT INTO orders VALUES (1)");
        assertThat(query("SELECT count(*) FROM copies")).isEqualTo("1");
    }

    @Test
    void check_and_mend_may_take_longer_than_the_patience() throws SQLException {
        orders(Engine.POSTGRESQL);
        sql(
                "ALTER TABLE orders DISABLE TRIGGER USER",
                "INSERT INTO orders VALUES (1, 'a')",
                "ALTER TABLE orders ENABLE TRIGGER USER",
                "ALTER TABLE orders_positions RENAME TO kept",
                "CREATE VIEW orders_positions AS SELECT kept.* FROM kept, pg_sleep(3)");
        JdbcFeeds impatient = JdbcFeeds.open(server.dataSource(), settings -> settings.patience(Duration.ofSeconds(1)));
        opened.add(impatient);
        Feed orders = impatient.table("orders");
        assertThat(orders.check().rowsWithoutEntry()).isEqualTo(1);
        assertThat(orders.mend()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_15_check_finds_a_foreign_position_and_a_deleted_arrival(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, 'c')", "DELETE FROM orders_inbox WHERE id = 2");
        orders.settle();
        sql(
                engine == Engine.POSTGRESQL
                        ? "INSERT INTO orders_positions VALUES (9, 3)"
                        : "INSERT INTO orders_positions VALUES (9, 0, 3)");
        assertThat(orders.check().faults())
                .containsExactly("1 row has no entry: the trigger did not run", "6 positions are missing");
        assertThat(orders.check().keysTwice()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_15_a_pass_that_meets_an_existing_position_fails_and_changes_nothing(Engine engine) throws Exception {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a')");
        Connection intruder = begin();
        run(
                intruder,
                engine == Engine.POSTGRESQL
                        ? "INSERT INTO orders_positions VALUES (1, 9)"
                        : "INSERT INTO orders_positions VALUES (1, 0, 9)");
        CompletableFuture<Integer> pass = CompletableFuture.supplyAsync(orders::stamp);
        Thread.sleep(500);
        assertThat(pass).isNotDone();
        intruder.commit();
        assertThatThrownBy(() -> pass.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(SequenceException.class);
        assertThat(orders.read(0, 9)).extracting(Entry::key).containsExactly(9L);
        assertThat(orders.stamp()).isEqualTo(1);
        assertThat(orders.read(1, 9)).extracting(Entry::key).containsExactly(1L);
    }

    @Test
    void row_15_arrivals_that_begin_again_lose_no_row_and_check_finds_a_cache() throws Exception {
        Feed orders = orders(Engine.POSTGRESQL);
        for (int i = 1; i <= 4; i++) {
            sql("INSERT INTO orders VALUES (" + i + ", 'a')");
            orders.stamp();
            Thread.sleep(210); // observed
        }
        sql("ALTER TABLE orders_inbox ALTER arrival RESTART WITH 1", "INSERT INTO orders VALUES (5, 'b')");
        Thread.sleep(210);
        assertThat(orders.stamp()).isEqualTo(1);
        sql("ALTER SEQUENCE orders_inbox_arrival_seq CACHE 10");
        assertThat(orders.check().faults())
                .containsExactly(
                        "the sequence of orders_inbox has a CACHE of 10, so arrivals are out of order; set it to 1");
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_16_others_pass_over_a_stamper_that_hangs_and_go_on_when_it_is_killed(Engine engine) throws Exception {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a')");
        Connection hanging = begin();
        String session = engine == Engine.POSTGRESQL ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        String id;
        try (Statement statement = hanging.createStatement();
                ResultSet row = statement.executeQuery(session)) {
            row.next();
            id = row.getString(1);
        }
        run(hanging, "SELECT 1 FROM seriatim_feed WHERE name = 'orders' FOR UPDATE");
        assertThat(orders.stamp()).isZero();
        assertThat(orders.state().waiting()).isEqualTo(1);
        String holders = String.join(", ", orders.state().holders());
        for (int i = 0; i < 100 && !holders.contains("session " + id); i++) {
            Thread.sleep(200); // InnoDB's list of transactions stays as it is until nobody has read it for 100 ms
            holders = String.join(", ", orders.state().holders());
        }
        assertThat(holders).contains("session " + id);
        JdbcFeeds impatient = JdbcFeeds.open(server.dataSource(), settings -> settings.patience(Duration.ofSeconds(1)));
        opened.add(impatient);
        assertThatThrownBy(() -> impatient.table("orders").settle())
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("locked by another session");
        sql(engine == Engine.POSTGRESQL ? "SELECT pg_terminate_backend(" + id + ")" : "KILL " + id);
        assertThat(keys(orders)).containsExactly(1L);
    }

    @Test
    void a_pass_in_sql_commits_durably_whatever_the_session_has_set() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        JdbcFeeds feeds = open(server.dataSource());
        feeds.install();
        sql("INSERT INTO orders VALUES (1, 'a')");
        Connection session = begin();
        run(session, "SET synchronous_commit = off", "SELECT " + feedStamp() + "('orders')");
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("on");
        }
        session.commit();
        assertThat(orders.read(0, 9)).extracting(Entry::key).containsExactly(1L);
    }

    private String feedStamp() throws SQLException {
        return query("SELECT quote_ident(proname) FROM pg_proc WHERE proname LIKE '%feed\\_stamp'");
    }

    @ParameterizedTest
    @EnumSource(names = {MARIADB, "MYSQL"})
    void a_pass_in_sql_keeps_the_callers_transaction_and_needs_no_backslash(Engine engine) throws SQLException {
        server = engine.freshDatabase();
        sql("CREATE TABLE orders (region VARCHAR(9) NOT NULL, `nö` BIGINT NOT NULL, PRIMARY KEY (region, `nö`))");
        JdbcFeeds feeds = open(with(
                server.dataSource(),
                made -> run(made, "SET SESSION sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')")));
        feeds.install();
        Feed orders = feeds.table("orders");
        Connection writer = begin();
        run(writer, "INSERT INTO orders VALUES ('eu', 1)");
        assertThatThrownBy(() -> run(writer, "CALL feed_stamp('orders')"))
                .hasMessageContaining("feed_stamp commits; end the open transaction first");
        writer.commit();
        writer.setAutoCommit(true);
        run(writer, "CALL feed_stamp('orders')");
        assertThat(orders.read(0, 9)).extracting(Entry::key).containsExactly(List.of("eu", 1L));
    }

    @Test
    void row_17_a_large_transaction_is_stamped_in_passes_and_others_come_behind_it() throws SQLException {
        Feed orders = orders(Engine.POSTGRESQL);
        sql("INSERT INTO orders SELECT generate_series(1, 12000), 'a'");
        sql("INSERT INTO orders VALUES (0, 'b')");
        assertThat(orders.stamp()).isEqualTo(5_000);
        assertThat(orders.stamp()).isEqualTo(5_000);
        assertThat(orders.stamp()).isEqualTo(2_001);
        assertThat(orders.read(12_000, 2)).extracting(Entry::key).containsExactly(0L);
    }

    @Test
    void row_18_the_inbox_makes_no_writer_wait_for_an_insert_from_a_query() throws SQLException {
        Feed orders = orders(Engine.MARIADB);
        Connection bulk = begin();
        run(bulk, "INSERT INTO orders SELECT seq + 10, 'a' FROM seq_1_to_5000");
        sql("SET innodb_lock_wait_timeout = 1", "INSERT INTO orders VALUES (1, 'b')");
        assertThat(keys(orders)).containsExactly(1L);
        bulk.commit();
        assertThat(keys(orders)).hasSize(5_001);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_19_generated_keys_are_those_of_the_row(Engine engine) throws SQLException {
        boolean postgres = engine == Engine.POSTGRESQL;
        server = engine.freshDatabase();
        sql("CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY "
                + (postgres ? "GENERATED BY DEFAULT AS IDENTITY (START 1000)" : "AUTO_INCREMENT")
                + ", note VARCHAR(100))" + (postgres ? "" : " AUTO_INCREMENT = 1000"));
        open(server.dataSource()).table("orders");
        try (Connection writer = server.connect();
                Statement statement = writer.createStatement()) {
            statement.execute("INSERT INTO orders (note) VALUES ('a')", Statement.RETURN_GENERATED_KEYS);
            try (ResultSet row = statement.getGeneratedKeys()) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(1000);
            }
            writer.setAutoCommit(false);
            statement.execute("INSERT INTO orders (note) VALUES ('b')");
            try (ResultSet row = statement.executeQuery(postgres ? "SELECT lastval()" : "SELECT LAST_INSERT_ID()")) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(1001);
            }
            writer.commit();
        }
    }

    // Readers

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_20_a_second_instance_does_nothing_and_a_handler_may_read_its_feed(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b')");
        FeedReader billing = orders.reader("billing");
        Feed others = open(server.dataSource()).table("orders");
        int handled = billing.run(1, (connection, batch) -> {
            assertThat(others.reader("billing").run(1, (beside, none) -> {})).isZero();
            assertThat(orders.read(0, 9)).hasSize(2);
            assertThat(orders.stamp()).isZero();
            run(connection, "INSERT INTO orders VALUES (3, 'c')"); // read by the same reader, later
        });
        assertThat(handled).isEqualTo(1);
        List<Object> next = new ArrayList<>();
        while (billing.relay(9, batch -> batch.forEach(each -> next.add(each.key()))) > 0) {}
        assertThat(next).containsExactly(2L, 3L);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_20_a_reader_that_is_killed_in_its_handler_stays_where_it_is(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a')", "CREATE TABLE bills (id BIGINT NOT NULL)");
        FeedReader billing = orders.reader("billing");
        boolean postgres = engine == Engine.POSTGRESQL;
        assertThatThrownBy(() -> billing.run(9, (connection, batch) -> {
                    run(connection, "INSERT INTO bills VALUES (1)");
                    try (Statement statement = connection.createStatement();
                            ResultSet row = statement.executeQuery(
                                    postgres ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()")) {
                        row.next();
                        sql((postgres ? "SELECT pg_terminate_backend(" : "KILL (") + row.getString(1) + ")");
                    }
                }))
                .isInstanceOf(SequenceException.class);
        assertThat(billing.position()).isZero();
        assertThat(query("SELECT count(*) FROM bills")).isEqualTo("0");
        assertThat(billing.run(9, (connection, batch) -> {})).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_21_a_page_may_end_within_a_transaction(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        orders.settle();
        assertThat(orders.read(0, 2)).extracting(Entry::key).containsExactly(1L, 2L);
        assertThat(orders.read(2, 2)).extracting(Entry::key).containsExactly(3L);
    }

    @Test
    void row_22_a_standby_can_be_read_and_not_stamped() throws Exception {
        Server primary = Server.postgresql(Map.of());
        opened.add(primary);
        Feed orders = orders(primary.freshDatabase());
        sql("INSERT INTO orders VALUES (1, 'a')");
        orders.settle();
        Server standby = Server.standbyOf(primary);
        opened.add(standby);
        Database copy = new Database(
                standby.administration().server(), server.name(), server.options(), server.user(), server.password());
        Feed copied = open(copy.dataSource()).table("orders");
        assertThat(copied.last()).isEqualTo(1);
        assertThat(copied.read(0, 9)).extracting(Entry::key).containsExactly(1L);
        assertThat(copied.stamp()).isZero(); // nothing waits
        Connection writer = connect();
        run(writer, "INSERT INTO orders VALUES (2, 'b')");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (copied.state().waiting() == 0 && System.nanoTime() < deadline) {
            Thread.sleep(50);
        }
        assertThatThrownBy(copied::stamp).isInstanceOf(SequenceException.class).hasMessageContaining("read-only");
        assertThatThrownBy(() -> copied.reader("billing").run(9, (connection, batch) -> {}))
                .isInstanceOf(SequenceException.class);
        assertThat(keys(open(server.dataSource()).table("orders"))).containsExactly(1L, 2L);
    }

    // Schemas

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_24_a_table_that_is_renamed_keeps_its_feed_and_drop_cleans_up(Engine engine) throws SQLException {
        orders(engine);
        JdbcFeeds feeds = open(server.dataSource());
        Feed orders = feeds.table("orders");
        sql("ALTER TABLE orders RENAME TO purchases", "INSERT INTO purchases VALUES (1, 'a')");
        assertThat(keys(orders)).containsExactly(1L);
        feeds.drop("orders");
        sql("INSERT INTO purchases VALUES (2, 'b')");
        assertThat(feeds.table("purchases").settle()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_24_a_table_that_is_dropped_or_loses_a_column(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        JdbcFeeds feeds = open(server.dataSource());
        boolean postgres = engine == Engine.POSTGRESQL;
        sql("ALTER TABLE orders DROP COLUMN note" + (postgres ? " CASCADE" : ""), "INSERT INTO orders VALUES (1)");
        assertThat(keys(orders)).containsExactly(1L);
        assertThatThrownBy(() -> orders.select("note").read(0, 1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("name columns of table 'orders'");
        feeds.define(FeedDefinition.over("orders"));
        assertThat(query("SELECT max(position) FROM orders_feed")).isEqualTo("1");
        sql("DROP TABLE orders" + (postgres ? " CASCADE" : ""));
        assertThat(keys(orders)).containsExactly(1L);
        assertThatThrownBy(orders::check)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("run 'seriatim feed drop orders', and create the feed again");
        feeds.drop("orders");
        assertThat(feeds.list()).isEmpty();
    }

    @Test
    void row_24_a_schema_off_the_search_path_and_a_hostile_search_path() throws SQLException {
        server = Engine.POSTGRESQL.freshDatabase();
        sql(
                "CREATE SCHEMA sales",
                "CREATE TABLE sales.\"Orders\" (id bigint PRIMARY KEY)",
                "CREATE SCHEMA hostile",
                "CREATE TABLE hostile.\"Orders_inbox\" (arrival bigint, id bigint)",
                "CREATE FUNCTION hostile.max(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint'");
        DataSource source = with(server.dataSource(), made -> run(made, "SET search_path = hostile, pg_catalog"));
        Feed orders = open(with(source, made -> {})).define(FeedDefinition.over("sales.Orders"));
        try (Connection writer = source.getConnection()) {
            run(writer, "INSERT INTO sales.\"Orders\" VALUES (1), (2)");
        }
        assertThat(keys(orders)).containsExactly(1L, 2L);
        assertThat(query("SELECT count(*) FROM hostile.\"Orders_inbox\"")).isEqualTo("0");
    }

    @Test
    void row_24_the_triggers_function_runs_no_code_of_the_writers_with_its_owners_rights() throws SQLException {
        server = Engine.POSTGRESQL.freshDatabase();
        String writer = server.name() + "_writer";
        sql(
                "CREATE FUNCTION good(v bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
                "CREATE FUNCTION valid(v bigint) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN good(v); END'",
                "CREATE DOMAIN order_key AS bigint CHECK (valid(VALUE))",
                "CREATE TABLE orders (id order_key PRIMARY KEY)",
                "CREATE ROLE " + writer,
                "GRANT INSERT ON orders TO " + writer,
                "CREATE SCHEMA hostile AUTHORIZATION " + writer,
                "CREATE TABLE hostile.ran (who text)",
                "CREATE FUNCTION hostile.good(v bigint) RETURNS boolean LANGUAGE plpgsql AS"
                        + " 'BEGIN INSERT INTO hostile.ran VALUES (current_user); RETURN true; END'",
                "GRANT INSERT ON hostile.ran TO " + writer);
        try {
            Feed orders = open(server.dataSource()).table("orders");
            String[] insert = {
                "SET ROLE " + writer, "SET search_path = hostile, public", "INSERT INTO orders VALUES (1)"
            };
            sql(insert);
            assertThat(keys(orders)).containsExactly(1L);
            assertThat(query("SELECT string_agg(DISTINCT who, ',') FROM hostile.ran"))
                    .isEqualTo(writer);
            sql("DROP VIEW orders_feed", "ALTER TABLE orders ALTER id TYPE bigint", "DELETE FROM orders");
            assertThatThrownBy(() -> sql(insert)) // the inbox checks its domain, in the trigger's function
                    .hasMessageContaining("function good(bigint) does not exist");
        } finally {
            sql("DROP OWNED BY " + writer + " CASCADE", "DROP ROLE " + writer);
        }
    }

    @Test
    void row_25_check_finds_rows_that_a_temporary_inbox_has_hidden() throws SQLException {
        Feed orders = orders(Engine.MARIADB);
        Connection writer = connect();
        run(
                writer,
                "CREATE TEMPORARY TABLE orders_inbox (arrival BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, id BIGINT)");
        run(writer, "INSERT INTO orders VALUES (1, 'a')");
        sql("INSERT INTO orders VALUES (2, 'b')");
        assertThat(keys(orders)).containsExactly(2L);
        assertThat(orders.check().rowsWithoutEntry()).isEqualTo(1);
        orders.mend();
        assertThat(keys(orders)).containsExactly(2L, 1L);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_27_trim_spares_what_a_rewound_or_forgotten_reader_has_not_passed(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')");
        FeedReader one = orders.reader("one");
        one.relay(9, batch -> {});
        orders.reader("two").relay(2, batch -> {});
        one.rewind(1);
        assertThat(orders.trim(4)).isEqualTo(1);
        one.forget();
        assertThat(orders.trim()).isEqualTo(1);
        assertThat(orders.read(0, 9)).extracting(Entry::key).containsExactly(3L, 4L);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_29_the_view_has_later_columns_once_the_feed_is_created_again(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        sql("ALTER TABLE orders ADD COLUMN paid INT", "INSERT INTO orders VALUES (1, 'a', 7)");
        orders.settle();
        assertThatThrownBy(() -> query("SELECT paid FROM orders_feed")).isInstanceOf(SQLException.class);
        open(server.dataSource()).define(FeedDefinition.over("orders"));
        assertThat(query("SELECT paid FROM orders_feed")).isEqualTo("7");
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_30_two_feeds_stand_over_a_table_and_none_over_a_feeds_tables(Engine engine) throws SQLException {
        Feed orders = orders(engine);
        JdbcFeeds feeds = open(server.dataSource());
        Feed second = feeds.define(FeedDefinition.over("orders").named("second"));
        sql("INSERT INTO orders VALUES (1, 'a')");
        assertThat(keys(orders)).containsExactly(1L);
        assertThat(keys(second)).containsExactly(1L);
        for (String own : List.of("orders_inbox", "second_positions", "seriatim_feed", "orders_feed")) {
            assertThatThrownBy(() -> feeds.table(own)).isInstanceOf(Misconfigured.class);
        }
        feeds.drop("second");
        sql("INSERT INTO orders VALUES (2, 'b')");
        assertThat(keys(orders)).containsExactly(1L, 2L);
    }

    @Test
    void row_31_pgbouncer_in_transaction_mode_works() throws Exception {
        Feed direct = orders(Engine.POSTGRESQL);
        Server pooler = Server.pgBouncer(server, 2);
        opened.add(pooler);
        Feed orders = open(pooler.administration()
                        .option("prepareThreshold", "0")
                        .dataSource())
                .table("orders");
        sql("INSERT INTO orders VALUES (1, 'a')");
        assertThat(orders.reader("billing").run(9, (connection, batch) -> {})).isEqualTo(1);
        assertThat(keys(direct)).containsExactly(1L);
    }

    @ParameterizedTest
    @EnumSource(names = {POSTGRESQL, MARIADB})
    void row_31_connections_in_manual_commit_mode_work_and_read_only_ones_are_refused(Engine engine)
            throws SQLException {
        orders(engine);
        sql("INSERT INTO orders VALUES (1, 'a')");
        Feed manual = open(with(server.dataSource(), made -> made.setAutoCommit(false)))
                .table("orders");
        assertThat(manual.reader("billing").run(9, (connection, batch) -> {})).isEqualTo(1);
        assertThat(query("SELECT count(*) FROM orders_inbox")).isEqualTo("0");
        sql("INSERT INTO orders VALUES (2, 'b')");
        String set = engine == Engine.POSTGRESQL ? "SET SESSION CHARACTERISTICS AS" : "SET SESSION";
        Feed readOnly = open(with(server.dataSource(), made -> run(made, set + " TRANSACTION READ ONLY")))
                .table("orders");
        assertThatThrownBy(readOnly::stamp)
                .isInstanceOf(SequenceException.class)
                .hasMessageMatching("(?is).*read.only.*");
        assertThatCode(() -> keys(manual)).doesNotThrowAnyException();
    }
}
