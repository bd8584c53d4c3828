// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.mysql.MariaDbDialect;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims by key, on a real MariaDB: they never wait, end nothing but themselves, and leave no gap among many. */
@Timeout(120)
@ParameterizedClass
@EnumSource(names = "MARIADB")
class ClaimsByKeyTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");
    private static final String BY_KEY = "SET STATEMENT innodb_lock_wait_timeout = 0";
    private static final int THREADS = 6;

    private final Database database;
    private final PoolClaim claim =
            new MariaDbDialect(false, true, true, true).poolClaim("places").orElseThrow();
    private final AtomicInteger byKey = new AtomicInteger();

    ClaimsByKeyTest(Engine engine) {
        database = engine.freshDatabase();
    }

    @BeforeEach
    void create() throws SQLException {
        database.execute(
                KEPT.create(),
                "CREATE TABLE places (name VARCHAR(64) COLLATE utf8mb4_nopad_bin NOT NULL, place BIGINT NOT NULL,"
                        + " value BIGINT NOT NULL, PRIMARY KEY (name, place)) ENGINE = InnoDB",
                "INSERT INTO places SELECT 's', seq, seq + 100 FROM seq_1_to_100");
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("s"));
        }
    }

    @AfterEach
    void nothingIsLeftOpen() throws Exception {
        String open = "SELECT COUNT(*) FROM information_schema.INNODB_TRX t JOIN"
                + " information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id WHERE p.DB = DATABASE()";
        for (int i = 0; i < 100 && database.number(open) > 0; i++) {
            Thread.sleep(200); // InnoDB's list stays as it is until nobody has read it for 100 ms
        }
        assertThat(database.number(open)).isZero();
    }

    private Connection begin(int isolation) throws SQLException {
        Connection connection = database.connect();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    private Optional<Long> take(Connection connection, long place) throws SQLException {
        return claim.byKey(connection)
                .orElseThrow()
                .take(connection, "s", place)
                .map(PoolClaim.Row::number);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_UNCOMMITTED,
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void a_number_that_another_transaction_holds_is_passed_over_at_once_and_the_work_before_stays(int isolation)
            throws SQLException {
        try (Connection one = begin(isolation);
                Connection two = begin(isolation)) {
            KEPT.keep(two, 7);
            assertThat(take(one, 3)).hasValue(103L);
            long began = System.nanoTime();
            assertThat(take(two, 3)).isEmpty();
            assertThat(System.nanoTime() - began).isLessThan(5_000_000_000L);
            assertThat(take(two, 4)).hasValue(104L);
            assertThat(take(two, 4)).as("its own").isEmpty();
            one.rollback();
            assertThat(take(two, 3)).as("put back").hasValue(103L);
            two.commit();
            assertThat(take(one, 3)).as("committed").isEmpty();
            one.rollback();
            assertThat(KEPT.all(one)).containsExactly(7L);
            one.rollback();
        }
    }

    @Test
    void a_rollback_to_a_savepoint_puts_it_back_for_the_same_transaction() throws SQLException {
        try (Connection one = begin(Connection.TRANSACTION_REPEATABLE_READ);
                Connection two = begin(Connection.TRANSACTION_REPEATABLE_READ)) {
            Savepoint before = one.setSavepoint();
            assertThat(take(one, 3)).hasValue(103L);
            one.rollback(before);
            assertThat(take(one, 3)).hasValue(103L);
            assertThat(take(two, 3)).isEmpty();
            one.commit();
            two.rollback();
        }
    }

    @Test
    void a_place_that_is_gone_is_in_no_refills_way() throws SQLException {
        database.execute("DELETE FROM places WHERE place BETWEEN 3 AND 30");
        try (Connection one = begin(Connection.TRANSACTION_REPEATABLE_READ);
                Connection two = begin(Connection.TRANSACTION_REPEATABLE_READ);
                Statement refill = two.createStatement()) {
            assertThat(take(one, 3)).isEmpty();
            refill.execute("SET innodb_lock_wait_timeout = 0");
            refill.execute("INSERT INTO places VALUES ('s', 101, 201)");
            two.commit();
            one.rollback();
        }
    }

    @Test
    void a_server_that_rolls_back_transactions_on_timeout_is_not_asked_by_key() throws SQLException {
        try (Connection connection = database.connect()) {
            Connection rollingBack = DriverProxy.of(Connection.class, (self, method, arguments) -> {
                boolean asks = method.getName().equals("prepareStatement")
                        && String.valueOf(arguments[0]).contains("innodb_rollback_on_timeout");
                return asks ? connection.prepareStatement("SELECT 1") : method.invoke(connection, arguments);
            });
            assertThat(claim.byKey(rollingBack)).isEmpty();
            assertThat(claim.byKey(connection)).isPresent();
        }
    }

    /** Draws on many threads until they are stopped, or the action ends. */
    private void beside(PooledSequence<Connection> pooled, DataSource source, Collection<Long> committed, Action action)
            throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<CompletableFuture<Void>> crowd = IntStream.range(0, THREADS)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> {
                            while (!stop.get()) {
                                draw(pooled, source, committed);
                            }
                        },
                        task -> new Thread(task).start()))
                .toList();
        try {
            until(() -> byKey.get() > 500);
            action.run();
        } finally {
            stop.set(true);
            crowd.forEach(CompletableFuture::join);
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void draw(PooledSequence<Connection> pooled, DataSource source, Collection<Long> committed) {
        try (Connection connection = source.getConnection()) {
            try {
                long number = pooled.next(connection);
                KEPT.keep(connection, number);
                connection.commit();
                committed.add(number);
            } catch (SequenceException.Overloaded conflict) {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void until(java.util.function.BooleanSupplier seen) throws InterruptedException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!seen.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    private HikariDataSource source() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(counting(database.dataSource()));
        config.setAutoCommit(false);
        config.setMaximumPoolSize(THREADS + 6);
        return new HikariDataSource(config);
    }

    private DataSource counting(DataSource real) {
        return DriverProxy.of(DataSource.class, (self, method, arguments) -> {
            Object result = method.invoke(real, arguments);
            return result instanceof Connection connection ? counting(connection) : result;
        });
    }

    private Connection counting(Connection real) {
        return DriverProxy.of(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("prepareStatement")
                    && String.valueOf(arguments[0]).startsWith(BY_KEY)) {
                byKey.incrementAndGet();
            }
            return method.invoke(real, arguments);
        });
    }

    @Test
    void numbers_put_back_beside_many_claims_are_dealt_again_soon() throws Exception {
        Queue<Long> committed = new ConcurrentLinkedQueue<>();
        try (HikariDataSource source = source();
                JdbcStore store = JdbcStore.open(source);
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> pooled = sequences.pooled("s", store);
            beside(pooled, source, committed, () -> {
                Set<Long> back = new HashSet<>();
                try (Connection rolledBack = source.getConnection();
                        Connection partly = source.getConnection()) {
                    back.add(pooled.next(rolledBack));
                    rolledBack.rollback();
                    committed.add(pooled.next(partly));
                    Savepoint savepoint = partly.setSavepoint();
                    back.add(pooled.next(partly));
                    partly.rollback(savepoint);
                    partly.commit();
                }
                Connection killed = database.connect();
                killed.setAutoCommit(false);
                back.add(pooled.next(killed));
                killed.abort(Runnable::run);
                until(() -> committed.containsAll(back));
            });
            assertConserved(store, committed);
        }
    }

    @Test
    void numbers_that_another_process_puts_back_are_passed_over_64_times_at_most_for_each_before_them()
            throws Exception {
        int left = 20;
        List<Long> committed = Collections.synchronizedList(new ArrayList<>());
        try (HikariDataSource source = source();
                JdbcStore store = JdbcStore.open(source);
                StoreSequences one = StoreSequences.of(store);
                StoreSequences two = StoreSequences.of(store);
                Connection other = database.connect()) {
            other.setAutoCommit(false);
            one.pooled("s", store).next(other, left);
            AtomicInteger before = new AtomicInteger();
            beside(two.pooled("s", store), source, committed, () -> {
                other.rollback();
                before.set(committed.size());
                until(() -> LongStream.rangeClosed(1, left).allMatch(committed::contains));
            });
            assertThat(committed.indexOf((long) left) - before.get()).isLessThan(65 * (left + 1) + THREADS);
            assertConserved(store, committed);
        }
    }

    @Test
    void several_numbers_in_a_transaction_and_several_processes_leave_no_gap() throws Exception {
        Queue<Long> committed = new ConcurrentLinkedQueue<>();
        try (HikariDataSource source = source();
                JdbcStore store = JdbcStore.open(source);
                StoreSequences one = StoreSequences.of(store);
                StoreSequences two = StoreSequences.of(store)) {
            PooledSequence<Connection> pooled = one.pooled("s", store);
            PooledSequence<Connection> others = two.pooled("s", store);
            beside(pooled, source, committed, () -> {
                for (int i = 0; i < 200; i++) {
                    try (Connection connection = source.getConnection()) {
                        try {
                            List<Long> drawn =
                                    List.of(pooled.next(connection), others.next(connection), pooled.next(connection));
                            if (i % 3 == 0) {
                                connection.rollback();
                            } else {
                                connection.commit();
                                committed.addAll(drawn);
                            }
                        } catch (SequenceException.Overloaded conflict) {
                            connection.rollback();
                        }
                    }
                }
            });
            assertConserved(store, committed);
        }
    }

    @Test
    void after_a_restart_only_new_numbers_are_dealt() throws Exception {
        Queue<Long> committed = new ConcurrentLinkedQueue<>();
        try (HikariDataSource source = source();
                JdbcStore store = JdbcStore.open(source);
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> pooled = sequences.pooled("s", store);
            Queue<Long> after = new ConcurrentLinkedQueue<>();
            beside(pooled, source, committed, () -> {
                restarted(store, 5_000_000);
                for (int i = 0; i < 300; i++) {
                    draw(pooled, source, after);
                }
            });
            assertThat(after).isNotEmpty().allMatch(number -> number >= 5_000_000);
        }
    }

    private static void restarted(JdbcStore store, long with) {
        for (int i = 0; i < 20; i++) { // conflicts with refills, and waits for transactions that hold numbers
            try {
                store.restart("s", with);
                return;
            } catch (SequenceException.Overloaded conflict) {
                // again
            }
        }
        store.restart("s", with);
    }

    private static void assertConserved(JdbcStore store, Collection<Long> committed) {
        List<Long> all = Collections.synchronizedList(new ArrayList<>());
        long next;
        do {
            next = store.describe("s").nextValue();
            all.clear();
            store.poolState("s").orElseThrow().laidOut().forEach(run -> run.forEach(all::add));
        } while (store.describe("s").nextValue() != next);
        all.addAll(committed);
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(1, next).boxed().toList());
    }
}
