// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.sql.ExhaustedPool;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.OpenStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An exhausted pool is reported as such; the database is not the cause. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class ExhaustedPoolTest {

    private static HikariDataSource pool(Database database, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(300);
        return new HikariDataSource(config);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_caller_that_holds_the_last_connection_hears_that_the_pool_is_exhausted(Engine engine) throws SQLException {
        try (HikariDataSource pool = pool(engine.freshDatabase(), 1)) {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open("s", Allocation.batch(10));
                try (Connection held = pool.getConnection()) {
                    assertThat(held.isValid(1)).isTrue();
                    assertThatThrownBy(sequence::next)
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContainingAll(
                                    "'s'", "the pool of connections to", "is exhausted", "its own pool", "second one")
                            .hasMessageNotContaining("the server");
                    assertThatThrownBy(store::list)
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContaining("is exhausted");
                    assertThatThrownBy(() -> JdbcStore.open(pool))
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContaining("is exhausted");
                }
                assertThat(store.reserve("s", 1).block().first()).isPositive();
            }
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final int SIZE = 8;

    /** A typical pool: its timeout of 30 s exceeds the patience. */
    private static HikariDataSource patientPool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(SIZE);
        return new HikariDataSource(config);
    }

    private static List<Connection> holdAll(HikariDataSource pool) throws SQLException {
        List<Connection> held = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            Connection connection = pool.getConnection();
            connection.setAutoCommit(false);
            held.add(connection);
        }
        return held;
    }

    private static void releaseAll(List<Connection> held) throws SQLException {
        for (Connection connection : held) {
            connection.rollback();
            connection.close();
        }
    }

    private static void namesThePool(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOf(Unavailable.class)
                .hasMessageContainingAll(
                        "'s'",
                        "waited 1000 ms for a connection of the data source of ",
                        "calls of this store waiting for one: ",
                        "its pool is exhausted",
                        "give the store its own pool, enlarge this one, or draw before the transaction begins",
                        "check that the server runs and is reachable")
                .hasMessageNotContaining("no answer from")
                .hasMessageNotContaining("\n");
    }

    static Stream<Arguments> modesOfDrawing() {
        return Stream.of(Engine.POSTGRESQL, Engine.SQLITE)
                .flatMap(engine -> Stream.of(
                                Allocation.async(),
                                Allocation.combined(),
                                Allocation.confirmed(),
                                Allocation.batch(10),
                                Allocation.asyncBatch(10, 5),
                                Allocation.adaptive())
                        .map(mode -> Arguments.of(engine, mode)));
    }

    @ParameterizedTest
    @MethodSource("modesOfDrawing")
    void callers_whose_transactions_hold_every_connection_hear_that_a_connection_is_missing(
            Engine engine, Allocation mode) throws Exception {
        try (HikariDataSource pool = patientPool(engine.freshDatabase())) {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                Sequence sequence = sequences.open("s", mode);
                List<Connection> held = holdAll(pool);
                ExecutorService callers = Executors.newFixedThreadPool(SIZE);
                try {
                    List<Future<Long>> draws = new ArrayList<>();
                    for (int i = 0; i < SIZE; i++) {
                        draws.add(callers.submit(() -> sequence.next()));
                    }
                    for (Future<Long> draw : draws) {
                        assertThatThrownBy(draw::get).cause().satisfies(ExhaustedPoolTest::namesThePool);
                    }
                } finally {
                    callers.shutdownNow();
                    releaseAll(held);
                }
                assertThat(onceItWorks(sequence::next)).isPositive();
            }
        }
    }

    /** The pool gives the read up after most of the patience, and the reservation after it waits for the rest. */
    @Test
    void a_unit_that_holds_the_only_connection_and_draws_confirmed_numbers_hears_that_none_was_free() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Engine.POSTGRESQL.freshDatabase().dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(700);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            store.create(SequenceDefinition.of("invoice"));
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                Sequence sequence = sequences.open("s", Allocation.confirmed());
                for (int i = 0; i < 50; i++) {
                    sequence.next(); // has values in hand then, which a read confirms
                }
                assertThatThrownBy(() -> sequences.grouped("invoice", store).commit(turn -> sequence.next()))
                        .isInstanceOf(SequenceException.class)
                        .hasMessageContainingAll(
                                "'s'", "exhausted", "enlarge this one, or draw before the transaction begins")
                        .hasMessageNotContaining("no answer from");
                assertThat(onceItWorks(sequence::next)).isGreaterThan(50);
            }
        }
    }

    /** Work that began without a connection resumes with the first one, and may conflict on a busy machine. */
    private static long onceItWorks(LongSupplier draw) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try {
                return draw.getAsLong();
            } catch (SequenceException e) {
                assertThat(System.nanoTime()).as("still fails: %s", e).isLessThan(end);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "SQLITE"})
    void native_or_not_a_future_hears_it_too(Engine engine) throws Exception {
        try (HikariDataSource pool = patientPool(engine.freshDatabase())) {
            OpenStore store = engine == Engine.POSTGRESQL ? NativeSequences.open(pool) : JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                Sequence sequence = sequences.open("s", Allocation.combined());
                List<Connection> held = holdAll(pool);
                try {
                    assertThatThrownBy(() ->
                                    sequence.nextAsync().toCompletableFuture().get())
                            .cause()
                            .satisfies(ExhaustedPoolTest::namesThePool);
                } finally {
                    releaseAll(held);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE"})
    void a_unit_of_work_for_which_no_connection_is_left_hears_it(Engine engine) throws Exception {
        try (HikariDataSource pool = patientPool(engine.freshDatabase())) {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                GroupedSequence<Connection> grouped = sequences.grouped("s", store);
                List<Connection> held = holdAll(pool);
                try {
                    assertThatThrownBy(() -> grouped.commit(Turn::next))
                            .satisfies(ExhaustedPoolTest::namesThePool)
                            .hasMessageContaining("nothing was committed");
                    // The store makes few other calls: finding the cause requires a connection too.
                    assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                            .isLessThanOrEqualTo(3);
                } finally {
                    releaseAll(held);
                }
                assertThat(onceItWorks(() -> grouped.<Long, RuntimeException>commit(Turn::next)))
                        .isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void numbers_that_cannot_be_laid_out_for_want_of_a_connection_are_told_so(Engine engine) throws Exception {
        try (HikariDataSource pool = patientPool(engine.freshDatabase())) {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            List<Connection> held = holdAll(pool);
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                PooledSequence<Connection> pooled = sequences.pooled("s", store);
                try {
                    // No numbers can be laid out, so the first draw takes its number from the counter, and the second
                    // waits for it.
                    assertThat(pooled.next(held.get(0))).isPositive();
                    assertThatThrownBy(() -> pooled.next(held.get(1)))
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContainingAll(
                                    "roll back and retry",
                                    "no numbers were laid out",
                                    "waited 1000 ms for a connection of the data source of ",
                                    "give the store its own pool");
                } finally {
                    releaseAll(held);
                }
            }
        }
    }

    @Test
    void a_server_that_is_frozen_or_down_is_still_to_be_looked_at() throws Exception {
        try (Server server = Server.postgresql(Map.of());
                HikariDataSource pool = patientPool(server.freshDatabase())) {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                Sequence sequence = sequences.open("s", Allocation.combined());
                sequence.next();
                server.suspend();
                try {
                    for (int i = 0; i < 3; i++) {
                        assertThatThrownBy(sequence::next)
                                .isInstanceOf(Unavailable.class)
                                .hasMessageContaining("runs and is reachable");
                    }
                } finally {
                    server.resume();
                }
                server.kill();
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 3; i++) {
                                sequence.next();
                            }
                        })
                        .isInstanceOf(Unavailable.class);
                assertThatThrownBy(sequence::next)
                        .isInstanceOf(Unavailable.class)
                        .hasMessageMatching(".*(runs and is reachable|broke|cannot be reached).*");
            }
        }
    }

    @Test
    void h2s_own_pool_is_known_too() throws SQLException {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:exhausted", "", "");
        pool.setMaxConnections(1);
        pool.setLoginTimeout(1);
        try {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (Connection held = pool.getConnection()) {
                assertThat(held.isValid(1)).isTrue();
                assertThatThrownBy(() -> store.reserve("s", 1))
                        .isInstanceOf(Overloaded.class)
                        .hasMessageContaining("is exhausted");
            }
        } finally {
            pool.dispose();
        }
    }

    static Stream<SQLException> ofPools() {
        return Stream.of(
                new SQLTransientConnectionException(
                        "HikariPool-1 - Connection is not available, request timed out after 30001ms"
                                + " (total=8, active=8, idle=0, waiting=3)"),
                new SQLException(
                        "[main] Timeout: Pool empty. Unable to fetch a connection in 30 seconds, none available"
                                + "[size:8; busy:8; idle:0; lastwait:30000]."),
                new SQLException(
                        "Cannot get a connection, pool error Timeout waiting for idle object",
                        new NoSuchElementException("Timeout waiting for idle object")),
                new SQLException("An attempt by a client to checkout a Connection has timed out."),
                new SQLException("Sorry, acquisition timeout!"),
                new SQLException("Acquisition timeout while waiting for new connection", new TimeoutException()),
                new SQLException("Login timeout", "08001", 8001));
    }

    @ParameterizedTest
    @MethodSource("ofPools")
    void the_words_of_the_common_pools_are_known(SQLException e) {
        assertThat(ExhaustedPool.is(e)).isTrue();
    }

    @Test
    void a_pool_that_cannot_connect_is_not_exhausted() {
        SQLException refused = new SQLException("Connection to localhost:5432 refused", "08001");
        assertThat(ExhaustedPool.is(refused)).isFalse();
        assertThat(ExhaustedPool.is(new SQLTransientConnectionException(
                        "HikariPool-1 - Connection is not available, request timed out after 300ms", "08001", refused)))
                .isFalse();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/none");
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(300);
        try (HikariDataSource down = LoginTimeouts.keptFor(() -> new HikariDataSource(config))) {
            assertThatThrownBy(() -> JdbcStore.open(down))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContainingAll("cannot be reached", "check the host");
        }
    }
}
