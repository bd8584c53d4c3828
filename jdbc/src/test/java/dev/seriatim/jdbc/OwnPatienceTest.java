// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long the store's own transactions wait for a lock that another session holds. */
@Timeout(300)
@Tag("long")
class OwnPatienceTest {

    private static final Duration PATIENCE = Duration.ofMillis(1300);
    // Some engines count in whole seconds, and a busy machine is slow.
    private static final Duration SLACK = Duration.ofMillis(2700);

    private static final int POOL_SIZE = 8;

    /** Queries the session settings that limit its waits. */
    private static final Map<Engine, String> SETTINGS = Map.of(
            Engine.POSTGRESQL, "SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')",
            Engine.MARIADB,
                    "SELECT CONCAT_WS(' ', @@max_statement_time, @@innodb_lock_wait_timeout, @@lock_wait_timeout)",
            Engine.MYSQL,
                    "SELECT CONCAT_WS(' ', @@max_execution_time, @@innodb_lock_wait_timeout, @@lock_wait_timeout)");

    private static final SequenceDefinition DEFINITION = SequenceDefinition.of("h");

    /** All calls except draws, which wait on the application's connections as long as their settings allow. */
    private static Map<String, Consumer<OpenStore>> calls() {
        Map<String, Consumer<OpenStore>> calls = new LinkedHashMap<>();
        calls.put("giveBack", store -> store.giveBack("h", new Block(1, 1, 1), 1));
        calls.put("raise", store -> store.raise("h", 100));
        calls.put("restart", store -> store.restart("h", 50));
        calls.put("alter", store -> store.alter("h", d -> d.toBuilder().cache(7).build()));
        calls.put("create", OwnPatienceTest::createAgain);
        calls.put("drop", store -> store.drop("h"));
        return calls;
    }

    private static void createAgain(OpenStore store) {
        try {
            store.create(DEFINITION);
        } catch (SequenceException.AlreadyExists e) {
            // expected
        }
    }

    /** Opens a pool, whose connections are reused. */
    private static HikariDataSource pool(JdbcUrl url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url.driverUrl());
        config.setMaximumPoolSize(POOL_SIZE);
        return new HikariDataSource(config);
    }

    private static JdbcUrl patient(Database database, Engine engine) {
        Database patient = database.option("seriatim.patience", PATIENCE.toMillis() + "ms");
        return JdbcUrl.parse(
                switch (engine) { // so that a call that waits without limit fails this test instead of hanging it
                    case POSTGRESQL -> patient.option("socketTimeout", "8").url();
                    case MARIADB, GALERA, MYSQL ->
                        patient.option("socketTimeout", "8000").url();
                    default -> patient.url();
                });
    }

    private static String settings(Connection connection, Engine engine) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SETTINGS.getOrDefault(engine, "SELECT ''"))) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connection locking(Database database, Engine engine) throws SQLException {
        Connection holder = database.connect();
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            if (engine == Engine.SQLITE || engine == Engine.H2) {
                statement.execute("UPDATE \"seriatim_sequence\" SET \"name\" = \"name\" WHERE \"name\" = 'h'");
            } else {
                statement.execute("SELECT * FROM seriatim_sequence WHERE name = 'h' FOR UPDATE");
            }
        }
        return holder;
    }

    /** Runs calls concurrently, each of which must wait until its patience ends. */
    private static void wait(Map<String, Runnable> calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            Map<String, Future<Throwable>> waiting = new LinkedHashMap<>();
            calls.forEach((what, call) -> waiting.put(what, threads.submit(() -> thrownInTime(what, call))));
            for (Map.Entry<String, Future<Throwable>> each : waiting.entrySet()) {
                assertThat(each.getValue().get())
                        .as(each.getKey())
                        .isInstanceOf(SequenceException.Overloaded.class)
                        .hasMessageContaining("'h'")
                        .hasMessageContaining("stayed locked")
                        .hasMessageContaining("for 1300 ms; end the session that holds the lock, or wait longer")
                        .hasMessageNotContaining("\n");
            }
        } finally {
            threads.shutdown();
        }
    }

    private static Throwable thrownInTime(String what, Runnable call) {
        long began = System.nanoTime();
        Throwable thrown = catchThrowable(call::run);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).as(what).isBetween(PATIENCE, PATIENCE.plus(SLACK));
        return thrown;
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB", "GALERA", "MYSQL"})
    @SuppressWarnings("try") // the holder is declared only to hold its lock
    void a_transaction_of_our_own_waits_for_a_lock_no_longer_than_the_patience(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        JdbcUrl url = patient(database, engine);
        try (HikariDataSource pool = pool(url);
                OpenStore store = url.open(any -> pool);
                OpenStore other = new JdbcDriver().open(url.options())) {
            store.create(DEFINITION);
            String before;
            try (Connection connection = pool.getConnection()) {
                before = settings(connection, engine);
            }
            try (Connection holder = locking(database, engine)) {
                wait(Map.of("first use", () -> other.reserve("h", 1)));
            }
            assertThat(other.reserve("h", 1).block().first()).isEqualTo(1);
            assertThat(store.reserve("h", 1).block().first()).isEqualTo(2);
            Map<String, Runnable> waiting = new LinkedHashMap<>();
            waiting.put("reserve, by connections of its own", () -> other.reserve("h", 1));
            calls().forEach((what, call) -> waiting.put(what, () -> call.accept(store)));
            try (Connection holder = locking(database, engine)) {
                wait(waiting);
            }
            assertThat(other.reserve("h", 1).block().first()).isEqualTo(3);
            assertThat(store.reserve("h", 1).block().first()).isEqualTo(4);
            assertThat(store.describe("h").definition()).isEqualTo(DEFINITION);
            calls().forEach((what, call) -> {
                long began = System.nanoTime();
                call.accept(store);
                // If it had waited for its lock, it would have thrown.
                assertThat(Duration.ofNanos(System.nanoTime() - began)).as(what).isLessThan(Duration.ofSeconds(10));
            });
            List<Connection> lent = new ArrayList<>();
            for (int i = 0; i < POOL_SIZE; i++) {
                Connection connection = pool.getConnection();
                lent.add(connection);
                assertThat(settings(connection, engine)).isEqualTo(before);
            }
            for (Connection connection : lent) {
                connection.close();
            }
        }
    }

    @Test
    @SuppressWarnings("try") // the holder is declared only to hold its lock
    void who_draws_from_memory_is_told_that_it_may_be_a_lock() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.builder(store)
                        .patience(Duration.ofSeconds(3))
                        .build()) {
            store.create(DEFINITION);
            Sequence sequence = sequences.open("h", Allocation.adaptive());
            try (Connection holder = locking(database, Engine.POSTGRESQL)) {
                assertThat(catchThrowable(sequence::next))
                        .isInstanceOf(SequenceException.Unavailable.class)
                        .hasMessageContaining("no answer from " + store + " within 3000 ms; check that it runs and is"
                                + " reachable, and that no transaction holds the lock on this sequence")
                        .hasMessageNotContaining("\n");
            }
        }
    }

    /** A claim holds rows of the pool, which a restart removes. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void a_restart_waits_no_longer_for_numbers_that_are_claimed(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        JdbcUrl url = patient(database, engine);
        try (JdbcStore store = (JdbcStore) new JdbcDriver().open(url.options());
                Connection holder = database.connect()) {
            store.create(DEFINITION);
            var pool = store.pool("h");
            pool.layOut(100);
            holder.setAutoCommit(false);
            assertThat(pool.claim(holder, 1).numbers()).hasSize(1);
            wait(Map.of("restart", () -> store.restart("h", 50)));
            holder.rollback();
            assertThat(store.restart("h", 50).nextValue()).isEqualTo(50);
        }
    }
}
