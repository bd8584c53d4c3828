// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.Landing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** POOLED as an application uses it: with its own tables and connections. */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
@Tag("long")
class PooledWorkTest {

    private static final KeptNumbers INVOICES = new KeptNumbers("invoice");

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient Object unit;

        Refused(Object unit) {
            this.unit = unit;
        }
    }

    private final Engine engine;
    private final Database database;

    PooledWorkTest(Engine engine) throws SQLException {
        this.engine = engine;
        database = engine.freshDatabase();
        database.execute(INVOICES.create());
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("invoice_id"));
        }
    }

    @Test
    void units_that_fail_at_random_leave_no_gap_and_trouble_nobody_else() throws SQLException {
        int threads = 32;
        int units = 313; // of each thread: 10,016 in total
        AtomicInteger failed = new AtomicInteger();
        try (HikariDataSource source = pool(threads + 2);
                JdbcStore store = JdbcStore.open(source);
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> invoices = sequences.pooled("invoice_id", store);
            new Crowd(threads, units).each((thread, turn) -> {
                boolean done = false;
                while (!done) {
                    Object unit = new Object();
                    try (Connection connection = source.getConnection()) {
                        try {
                            work(
                                    connection,
                                    invoices,
                                    unit,
                                    ThreadLocalRandom.current().nextInt(5) == 0);
                            connection.commit();
                            done = true;
                        } catch (Refused e) {
                            assertThat(e.unit).isSameAs(unit);
                            failed.incrementAndGet();
                            connection.rollback();
                        }
                    }
                }
            });
            assertThat(failed.get()).isGreaterThan(1500);
            assertThat(kept())
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, (long) threads * units)
                            .boxed()
                            .toList());
        }
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            assertThat(store.poolState("invoice_id").orElseThrow().count())
                    .isEqualTo(store.describe("invoice_id").nextValue() - 1 - (long) threads * units);
        }
    }

    @Test
    void threads_that_draw_in_one_transaction_get_different_numbers() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Opened opened = new Opened();
                Connection transaction = database.connect()) {
            PooledSequence<Connection> invoices = Landing.awaited(store, "invoice_id", opened.sequences);
            transaction.setAutoCommit(false);
            Queue<Long> drawn = new ConcurrentLinkedQueue<>();
            new Crowd(4, 60).each((thread, turn) -> drawn.add(invoices.next(transaction)));
            transaction.commit();
            assertThat(drawn).hasSize(240).doesNotHaveDuplicates();
        }
    }

    @Test
    void callers_who_hold_every_connection_get_numbers_all_the_same() throws SQLException {
        int connections = 4;
        try (HikariDataSource source = pool(connections);
                JdbcStore store = JdbcStore.open(source)) {
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                all.add(source.getConnection());
            }
            try (StoreSequences sequences = StoreSequences.of(store)) {
                PooledSequence<Connection> invoices = sequences.pooled("invoice_id", store);
                assertThat(invoices.next(all.get(0))).isEqualTo(1);
                all.get(0).commit();
                assertThat(invoices.next(all.get(1))).isEqualTo(2);
                for (Connection connection : all) {
                    connection.commit();
                    connection.close();
                }
                List<Long> drawn = new ArrayList<>(drawn(store, invoices, 100));
                assertThat(drawn).hasSize(100);
                if (drawn.get(0) > 3) { // no block was laid out within a second, so the counter was used
                    drawn.addAll(0, drawn(store, invoices, (int) (drawn.get(0) - 3)));
                }
                assertThat(drawn)
                        .containsExactlyElementsOf(
                                LongStream.range(3, 3 + drawn.size()).boxed().toList());
            }
        }
    }

    @Test
    void a_number_that_was_held_while_thousands_were_claimed_comes_back() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Opened opened = new Opened();
                Connection holder = database.connect()) {
            PooledSequence<Connection> invoices = Landing.awaited(store, "invoice_id", opened.sequences);
            holder.setAutoCommit(false);
            assertThat(invoices.next(holder)).isEqualTo(1);
            for (int i = 0; i < 30; i++) {
                assertThat(drawn(store, invoices, 300)).hasSize(300);
            }
            holder.rollback();
            List<Long> next = new ArrayList<>();
            long deadline = System.nanoTime() + 10_000_000_000L;
            while (!next.contains(1L) && System.nanoTime() < deadline) {
                next.addAll(drawn(store, invoices, 1));
            }
            assertThat(next).contains(1L);
            assertThat(store.poolState("invoice_id").orElseThrow().laidOut()).hasSize(1);
        }
    }

    @Test
    void a_number_that_was_put_back_is_dealt_again_on_connections_that_stay_in_use() throws SQLException {
        try (HikariDataSource source = pool(4);
                JdbcStore store = JdbcStore.open(source);
                Opened opened = new Opened()) {
            PooledSequence<Connection> invoices = Landing.awaited(store, "invoice_id", opened.sequences);
            try (Connection one = source.getConnection();
                    Connection two = source.getConnection()) {
                long putBack = invoices.next(one);
                long kept = invoices.next(two);
                assertThat(kept).isGreaterThan(putBack);
                one.rollback();
                two.commit();
                List<Long> next = new ArrayList<>();
                for (int i = 0; i < 300; i++) { // one connection for all transactions; their ends are not visible
                    next.add(invoices.next(two));
                    two.commit();
                }
                assertThat(next).contains(putBack);
                assertThat(next).doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void a_number_that_was_put_back_is_dealt_again_to_transactions_of_many_claims_on_one_connection()
            throws SQLException {
        try (HikariDataSource source = pool(4);
                JdbcStore store = JdbcStore.open(source);
                Opened opened = new Opened()) {
            PooledSequence<Connection> invoices = Landing.awaited(store, "invoice_id", opened.sequences);
            try (Connection one = source.getConnection();
                    Connection two = source.getConnection()) {
                long putBack = invoices.next(one);
                List<Long> next = new ArrayList<>();
                next.add(invoices.next(two));
                one.rollback();
                for (int i = 1; i < 3000 && !next.contains(putBack); i++) {
                    if (i % 37 == 0) { // so that refills meet open transactions
                        two.commit();
                    }
                    next.add(invoices.next(two));
                }
                two.commit();
                assertThat(next).contains(putBack).doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void a_long_transaction_claims_upwards_while_others_refill() throws SQLException {
        try (HikariDataSource source = pool(4);
                JdbcStore store = JdbcStore.open(source);
                Opened opened = new Opened()) {
            PooledSequence<Connection> invoices = Landing.awaited(store, "invoice_id", opened.sequences);
            try (Connection one = source.getConnection();
                    Connection two = source.getConnection()) {
                assertThat(invoices.next(one)).isEqualTo(1);
                List<Long> held = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    held.add(invoices.next(two));
                }
                assertThat(held).isSorted().doesNotHaveDuplicates().startsWith(2L);
                one.rollback();
                two.commit();
            }
        }
    }

    @Test
    void a_table_of_somebody_elses_gets_a_pool_beside_it() throws SQLException {
        database.execute(
                "CREATE TABLE seq_table (seq_name VARCHAR(64) NOT NULL PRIMARY KEY, last_val BIGINT NOT NULL)",
                "INSERT INTO seq_table VALUES ('theirs', 41)");
        SequenceTable table = SequenceTable.lastValue("seq_table", "seq_name", "last_val");
        try (JdbcStore store = JdbcStore.open(database.dataSource(), table);
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> theirs = sequences.pooled("theirs", store);
            assertThat(store.<Long, RuntimeException>inTransaction(theirs::next))
                    .isEqualTo(42);
            database.execute("UPDATE seq_table SET last_val = last_val + 1000");
            assertThat(drawn(store, theirs, 500)).hasSize(500).doesNotHaveDuplicates();
            assertThat(store.poolState("theirs").orElseThrow().count()).isPositive();
        }
    }

    @Test
    void what_the_url_opens_pools_too() {
        try (JdbcStore store = (JdbcStore) StoreDriver.open(database.url());
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> invoices = sequences.pooled("invoice_id", store);
            assertThat(store.<Long, RuntimeException>inTransaction(invoices::next))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_connection_in_auto_commit_mode_is_refused() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.of(store);
                Connection connection = database.connect()) {
            PooledSequence<Connection> invoices = sequences.pooled("invoice_id", store);
            assertThatThrownBy(() -> invoices.next(connection))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("auto-commit");
            connection.setAutoCommit(false);
            assertThat(invoices.next(connection)).isEqualTo(1);
            connection.rollback();
        }
    }

    @Test
    void a_name_of_a_table_that_leaves_no_room_for_that_of_the_pools_is_refused() {
        try (JdbcStore store = JdbcStore.open(database.dataSource(), SequenceTable.own("t".repeat(59)))) {
            store.create(SequenceDefinition.of("s"));
            assertThatThrownBy(() -> store.pool("s"))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageEndingWith("is longer than 63 characters; shorten the table's name, or use GROUPED");
        }
    }

    /** What is closed at the end. */
    private static final class Opened implements AutoCloseable {
        private final List<StoreSequences> sequences = new ArrayList<>();

        @Override
        public void close() {
            sequences.forEach(StoreSequences::close);
        }
    }

    private static void work(Connection connection, PooledSequence<Connection> invoices, Object unit, boolean fails)
            throws SQLException, Refused {
        INVOICES.keep(connection, invoices.next(connection));
        if (fails) {
            throw new Refused(unit);
        }
    }

    private static List<Long> drawn(JdbcStore store, PooledSequence<Connection> sequence, int count) {
        return store.inTransaction(
                transaction -> sequence.next(transaction, count).toList());
    }

    private List<Long> kept() throws SQLException {
        try (Connection connection = database.connect()) {
            return INVOICES.all(connection).stream().sorted().toList();
        }
    }

    private HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    @AfterEach
    void nothingIsLeftOpen() throws SQLException {
        if (engine == Engine.POSTGRESQL) {
            assertThat(database.number("SELECT COUNT(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
                            + " AND datname = current_database()"))
                    .isZero();
        }
    }
}
