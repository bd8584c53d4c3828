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
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest {

    @TempDir
    Path folder;

    private JdbcStore store;

    @BeforeEach
    void open() {
        store = (JdbcStore) StoreDriver.open("sqlite:" + folder.resolve("numbers.db"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void blocks_follow_one_another_and_survive_reopening() {
        store.create(SequenceDefinition.of("orders"));
        assertThat(store.reserve("orders", 1).block()).isEqualTo(new Block(1, 1, 1));
        assertThat(store.reserve("orders", 10).block()).isEqualTo(new Block(2, 10, 1));
        assertThat(store.reserve("orders", SequenceStore.CACHE).block()).isEqualTo(new Block(12, 100, 1));
        store.close();
        open();
        assertThat(store.reserve("orders", 3).block()).isEqualTo(new Block(112, 3, 1));
    }

    @Test
    void a_transaction_that_has_written_creates_a_sequence_like_another() throws Exception {
        store.create(
                SequenceDefinition.named("like").startWith(7L).incrementBy(2).build());
        try (Connection transaction = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("numbers.db"))) {
            transaction.setAutoCommit(false);
            for (boolean commits : new boolean[] {false, true}) {
                try (Statement statement = transaction.createStatement()) {
                    statement.execute("CREATE TABLE held (id BIGINT)"); // from here on, others cannot write
                }
                store.create(transaction, "new", "like");
                assertThat(store.reserve(transaction, "new", 2).block()).isEqualTo(new Block(7, 2, 2));
                assertThatThrownBy(() -> store.create(transaction, "new", "like"))
                        .isInstanceOf(AlreadyExists.class);
                assertThatThrownBy(() -> store.create(transaction, "other", "none"))
                        .isInstanceOf(NotFound.class)
                        .hasMessageContaining("'none'");
                if (commits) {
                    transaction.commit();
                } else {
                    transaction.rollback();
                    assertThatThrownBy(() -> store.describe("new")).isInstanceOf(NotFound.class);
                }
            }
            transaction.setAutoCommit(true);
            assertThatThrownBy(() -> store.create(transaction, "automatic", "like"))
                    .isInstanceOf(Misconfigured.class);
        }
        assertThat(store.reserve("new", 1).block()).isEqualTo(new Block(11, 1, 2));
    }

    @Test
    void the_last_value_of_64_bits_is_dealt_and_then_nothing() {
        store.create(
                SequenceDefinition.named("up").startWith(Long.MAX_VALUE - 4).build());
        assertThat(values("up", 1, 2, 9))
                .containsExactly(
                        Long.MAX_VALUE - 4, Long.MAX_VALUE - 3, Long.MAX_VALUE - 2, Long.MAX_VALUE - 1, Long.MAX_VALUE);
        assertThatThrownBy(() -> store.reserve("up", 1)).isInstanceOf(Exhausted.class);
        assertThat(store.describe("up").usedUp()).isTrue();
    }

    @Test
    void the_lowest_value_of_64_bits_is_dealt_and_then_nothing() {
        store.create(SequenceDefinition.named("down")
                .incrementBy(-3)
                .startWith(Long.MIN_VALUE + 7)
                .build());
        assertThat(values("down", 1, 1, Long.MAX_VALUE))
                .containsExactly(Long.MIN_VALUE + 7, Long.MIN_VALUE + 4, Long.MIN_VALUE + 1);
        assertThatThrownBy(() -> store.reserve("down", 1)).isInstanceOf(Exhausted.class);
    }

    @Test
    void a_cycle_starts_over_in_a_new_epoch() {
        store.create(SequenceDefinition.named("dial").maxValue(3L).cycle(true).build());
        Reservation round = store.reserve("dial", 2);
        assertThat(store.reserve("dial", 5).block()).isEqualTo(new Block(3, 1, 1));
        Reservation next = store.reserve("dial", 2);
        assertThat(next.block()).isEqualTo(new Block(1, 2, 1));
        assertThat(next.epoch()).isGreaterThan(round.epoch());
    }

    @Test
    void a_change_by_hand_in_SQL_reaches_the_next_reservation() throws SQLException {
        store.create(SequenceDefinition.of("orders"));
        store.reserve("orders", 1);
        store.reserve("orders", 1);
        sql("UPDATE seriatim_sequence SET increment_by = 10, max_value = 40 WHERE name = 'orders'");
        Reservation changed = store.reserve("orders", 9);
        assertThat(changed.block()).isEqualTo(new Block(3, 4, 10));
        assertThat(changed.definition().max()).isEqualTo(40);
    }

    @Test
    void a_counter_that_was_made_a_text_by_hand_is_refused() throws SQLException {
        store.create(SequenceDefinition.of("orders"));
        store.reserve("orders", 1);
        sql("UPDATE seriatim_sequence SET next_value = 'two'");
        assertThatThrownBy(() -> store.reserve("orders", 1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("next_value")
                .hasMessageContaining("'two'");
    }

    @Test
    void an_unused_end_goes_back_only_if_nobody_has_reserved_since() {
        store.create(SequenceDefinition.of("orders"));
        Reservation mine = store.reserve("orders", 10);
        assertThat(store.giveBack("orders", new Block(4, 7, 1), mine.epoch())).isTrue();
        assertThat(store.reserve("orders", 2).block()).isEqualTo(new Block(4, 2, 1));
        assertThat(store.giveBack("orders", new Block(4, 1, 1), mine.epoch())).isFalse();
        assertThat(store.giveBack("orders", new Block(5, 1, 1), mine.epoch() - 1))
                .isFalse();
        assertThat(store.describe("orders").nextValue()).isEqualTo(6);
    }

    @Test
    void restart_and_recreation_begin_a_later_epoch() {
        store.create(SequenceDefinition.of("orders"));
        Reservation first = store.reserve("orders", 5);
        SequenceState restarted = store.restart("orders", 2);
        assertThat(restarted.epoch()).isGreaterThan(first.epoch());
        assertThat(store.reserve("orders", 1).block().first()).isEqualTo(2);
        store.drop("orders");
        assertThatThrownBy(() -> store.reserve("orders", 1)).isInstanceOf(NotFound.class);
        store.create(SequenceDefinition.of("orders"));
        assertThat(store.reserve("orders", 1).epoch()).isGreaterThan(restarted.epoch());
    }

    @Test
    void the_catalogue_creates_lists_alters_and_raises() {
        store.create(SequenceDefinition.of("b"));
        store.create(SequenceDefinition.of("a'; DROP TABLE seriatim_sequence; --"));
        assertThatThrownBy(() -> store.create(SequenceDefinition.of("b"))).isInstanceOf(AlreadyExists.class);
        assertThat(store.list())
                .extracting(s -> s.definition().name())
                .containsExactly("a'; DROP TABLE seriatim_sequence; --", "b");
        assertThat(store.raise("b", 50).nextValue()).isEqualTo(50);
        assertThat(store.raise("b", 7).nextValue()).isEqualTo(50);
        store.alter("b", d -> d.toBuilder().cache(7).build());
        assertThat(store.reserve("b", 0).block()).isEqualTo(new Block(50, 7, 1));
        assertThatThrownBy(() -> store.alter("none", d -> d)).isInstanceOf(NotFound.class);
    }

    @Test
    void a_rolled_back_transaction_leaves_no_gap() {
        store.create(SequenceDefinition.of("invoice"));
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boolean fails = i % 2 == 1;
            try {
                kept.add(store.inTransaction(transaction -> {
                    long value =
                            store.reserve(transaction, "invoice", 1).block().first();
                    if (fails) {
                        throw new IllegalStateException("no");
                    }
                    return value;
                }));
            } catch (IllegalStateException e) {
                assertThat(fails).isTrue();
            }
        }
        assertThat(kept).containsExactly(1L, 2L, 3L);
    }

    @Test
    void a_connection_in_auto_commit_mode_is_refused() throws SQLException {
        store.create(SequenceDefinition.of("invoice"));
        try (Connection connection = connect()) {
            assertThatThrownBy(() -> store.reserve(connection, "invoice", 1))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("auto-commit");
        }
        assertThat(store.describe("invoice").nextValue()).isEqualTo(1);
    }

    @Test
    void drawing_outside_of_ones_own_open_transaction_is_refused_at_once() {
        store.create(SequenceDefinition.of("invoice"));
        assertThatThrownBy(() -> store.inTransaction(transaction -> store.reserve("invoice", 1)))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("inside that transaction");
        assertThat(store.reserve("invoice", 1).block().first()).isEqualTo(1);
    }

    @Test
    void many_threads_draw_every_value_once() throws InterruptedException {
        store.create(SequenceDefinition.of("orders"));
        ConcurrentLinkedQueue<Long> drawn = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            boolean inside = t % 2 == 0;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 50; i++) {
                    drawn.add(
                            inside
                                    ? store.inTransaction(tx -> store.reserve(tx, "orders", 1)
                                            .block()
                                            .first())
                                    : store.reserve("orders", 1).block().first());
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(drawn)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 400).boxed().toList());
    }

    @Test
    void the_extremes_of_a_column_are_found() throws SQLException {
        store.create(SequenceDefinition.of("orders"));
        sql("CREATE TABLE orders (id INTEGER, note TEXT)");
        assertThat(store.extreme(ColumnName.of("orders", "id"), true)).isEmpty();
        sql("INSERT INTO orders VALUES (3, 'a'), (9, 'b')");
        assertThat(store.extreme(ColumnName.of("orders", "id"), true)).hasValue(9);
        assertThat(store.extreme(ColumnName.of("orders", "id"), false)).hasValue(3);
        assertThatThrownBy(() -> store.extreme(ColumnName.of("orders", "note"), true))
                .isInstanceOf(Misconfigured.class);
        assertThatThrownBy(() -> store.extreme(ColumnName.of("orders", "nr"), true))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("no column 'nr'");
        assertThatThrownBy(() -> store.extreme(ColumnName.of("order", "id"), true))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("no table 'order'");
        assertThatThrownBy(() -> store.extreme(ColumnName.of("orders; --", "id"), true))
                .isInstanceOf(Misconfigured.class);
    }

    @Test
    void installing_twice_changes_nothing() {
        store.install();
        store.create(SequenceDefinition.of("orders"));
        store.install();
        assertThat(store.list()).hasSize(1);
        assertThat(store.script()).startsWith("CREATE TABLE IF NOT EXISTS `seriatim_sequence`");
        assertThat(store.script().lines()).last().asString().startsWith("-- ");
    }

    @Test
    void a_file_that_was_replaced_is_opened_anew() throws Exception {
        store.create(SequenceDefinition.of("orders"));
        store.reserve("orders", 5);
        Path other = folder.resolve("other.db");
        try (OpenStore second = new SqliteDriver().open(StoreUrl.parse("sqlite:" + other))) {
            second.create(SequenceDefinition.named("orders").startWith(900L).build());
        }
        Files.move(other, folder.resolve("numbers.db"), StandardCopyOption.REPLACE_EXISTING);
        Files.delete(folder.resolve("numbers.db-wal"));
        Files.delete(folder.resolve("numbers.db-shm"));
        assertThat(store.reserve("orders", 1).block().first()).isEqualTo(900);
    }

    @Test
    void a_jdbc_url_opens_the_same_table() {
        store.create(SequenceDefinition.of("orders"));
        try (OpenStore same = StoreDriver.open("jdbc:sqlite:" + folder.resolve("numbers.db") + "?busy_timeout=5000")) {
            assertThat(same.reserve("orders", 3).block()).isEqualTo(new Block(1, 3, 1));
            assertThat(same.reserve("orders", 3).block()).isEqualTo(new Block(4, 3, 1));
        }
        assertThat(store.reserve("orders", 1).block().first()).isEqualTo(7);
    }

    private List<Long> values(String name, long... counts) {
        return LongStream.of(counts)
                .mapToObj(count -> store.reserve(name, count))
                .flatMap(reservation -> reservation.block().values().boxed())
                .toList();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("numbers.db"));
    }

    private void sql(String text) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }
}
