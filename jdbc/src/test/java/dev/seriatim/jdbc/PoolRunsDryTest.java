// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.Pool;
import dev.seriatim.testkit.Crowd;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A claim that finds nothing must not block the refill, least of all while it waits for it: at the default isolation
 * level of MariaDB and MySQL, it locks whatever it has passed.
 */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
class PoolRunsDryTest {

    private static final int TRANSACTIONS = 32;

    private final Engine engine;
    private final List<Connection> open = new ArrayList<>();
    private final List<JdbcStore> stores = new ArrayList<>();
    private Database database;
    private JdbcStore store;

    PoolRunsDryTest(Engine engine) {
        this.engine = engine;
    }

    @BeforeEach
    void create() throws SQLException {
        database = engine.freshDatabase();
        store = JdbcStore.open(database.dataSource());
        stores.add(store);
        for (String name : List.of("a", "s", "t")) {
            store.create(SequenceDefinition.of(name));
            store.pool(name).layOut(TRANSACTIONS);
        }
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : open) {
            connection.rollback();
            connection.close();
        }
        stores.forEach(JdbcStore::close); // empty if the engine is not available
    }

    @Test
    void transactions_that_found_nothing_do_not_keep_numbers_from_being_laid_out() throws SQLException {
        Pool<Connection> mine = looking("s");
        Pool<Connection> others = looking("s");
        List<Long> claimed = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            claimed.addAll(mine.claim(begin(), 1).numbers());
        }
        List<Connection> dry = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            Connection transaction = begin();
            read(transaction);
            assertThat(others.claim(transaction, 1).numbers()).isEmpty();
            dry.add(transaction);
        }
        assertThat(withinAMoment(() -> others.layOut(64).laidOut())).isNotNull();
        assertThat(withinAMoment(() -> looking("a").layOut(64).laidOut())).isNotNull();
        assertThat(withinAMoment(() -> looking("t").layOut(64).laidOut())).isNotNull();
        for (Connection transaction : dry) {
            claimed.addAll(others.claim(transaction, 1).numbers());
        }
        assertThat(claimed)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 2L * TRANSACTIONS).boxed().toList());
    }

    @Test
    void a_search_that_ran_to_the_end_would_keep_them() throws SQLException {
        Connection searching = begin();
        try (Statement statement = searching.createStatement()) {
            statement.executeQuery("SELECT place FROM seriatim_sequence_pool WHERE name = 's' AND place > 0"
                    + " FOR UPDATE SKIP LOCKED");
        }
        Pool<Connection> pool = looking("s");
        CompletableFuture<Pool.Extent> laidOut = CompletableFuture.supplyAsync(() -> pool.layOut(64));
        if (engine == Engine.POSTGRESQL) {
            assertThat(laidOut).succeedsWithin(10, TimeUnit.SECONDS);
        } else {
            assertThatThrownBy(() -> laidOut.get(1, TimeUnit.SECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            searching.rollback();
            assertThat(laidOut).succeedsWithin(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void many_who_wait_inside_their_transactions_are_all_served() throws InterruptedException {
        ConcurrentLinkedQueue<Long> claimed = new ConcurrentLinkedQueue<>();
        ExecutorService slow = Executors.newFixedThreadPool(4);
        Executor late = work -> slow.execute(() -> {
            pause();
            work.run();
        });
        try (StoreSequences sequences =
                        StoreSequences.builder(store).executor(late).build();
                JdbcStore elsewhere = JdbcStore.open(database.dataSource());
                StoreSequences others =
                        StoreSequences.builder(elsewhere).executor(late).build()) {
            List<PooledSequence<Connection>> pooled =
                    List.of(sequences.pooled("s", store), others.pooled("s", elsewhere));
            Phaser together = new Phaser(TRANSACTIONS) {
                @Override
                protected boolean onAdvance(int phase, int parties) {
                    return false; // even if all of them have left it for a moment
                }
            };
            AtomicInteger repeated = new AtomicInteger();
            new Crowd(TRANSACTIONS, 5).each((thread, turn) -> {
                PooledSequence<Connection> own = pooled.get(thread % 2);
                try (Connection transaction = database.connect()) {
                    transaction.setAutoCommit(false);
                    read(transaction);
                    List<Long> numbers = new ArrayList<>();
                    try {
                        for (int i = 0;
                                i < 5;
                                i++) { // all stay open, so that the numbers laid out run out again and again
                            together.awaitAdvanceInterruptibly(together.arrive(), 30, TimeUnit.SECONDS);
                            numbers.addAll(own.next(transaction, 4).toList());
                        }
                    } catch (
                            Overloaded e) { // after one second, a draw takes its number from the counter and locks that
                        // until the transaction ends
                        together.arriveAndDeregister();
                        repeated.incrementAndGet();
                        transaction.rollback();
                        numbers.clear();
                        numbers.addAll(drawnAtLast(own, transaction));
                        together.register();
                    }
                    transaction.commit();
                    claimed.addAll(numbers);
                }
                if (turn == 4) {
                    together.arriveAndDeregister();
                }
            });
            assertThat(claimed).hasSize(5 * TRANSACTIONS * 20);
            assertThat(repeated.get()).isLessThan(5 * TRANSACTIONS / 2);
        } finally {
            slow.shutdown();
        }
        // A refill in progress when the sequences are closed is still completed.
        assertThat(slow.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        store.poolState("s").orElseThrow().laidOut().forEach(run -> run.forEach(claimed::add));
        assertThat(claimed)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(1, store.describe("s").nextValue())
                                .boxed()
                                .toList());
    }

    /** Draws twenty numbers, retrying the transaction as often as necessary. */
    private static List<Long> drawnAtLast(PooledSequence<Connection> pooled, Connection transaction)
            throws SQLException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                return pooled.next(transaction, 20).toList();
            } catch (Overloaded e) {
                assertThat(System.nanoTime()).as("still fails: %s", e).isLessThan(end);
                transaction.rollback();
            }
        }
    }

    private Pool<Connection> looking(String name) {
        Pool<Connection> pool = store.pool(name);
        assertThat(pool.layOut(1).laidOut()).isNull();
        return pool;
    }

    private Connection begin() throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        open.add(connection);
        return connection;
    }

    /** Reads as an application does before it needs a number; this takes a snapshot if the engine has them. */
    private void read(Connection transaction) throws SQLException {
        if (engine != Engine.POSTGRESQL) {
            assertThat(transaction.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
        }
        try (Statement statement = transaction.createStatement()) {
            statement.executeQuery("SELECT COUNT(*) FROM seriatim_sequence").close();
        }
    }

    private static <R> R withinAMoment(java.util.function.Supplier<R> work) {
        return CompletableFuture.supplyAsync(work)
                .orTimeout(3, TimeUnit.SECONDS)
                .join();
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
