// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.OpenStore;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Sequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a transaction of the store's own waits for a lock that another session holds. */
@Timeout(300)
class OwnPatienceTest {

    private static final Duration PATIENCE = Duration.ofMillis(1300);
    // Some engines count in whole seconds, and a busy machine takes its time.
    private static final Duration SLACK = Duration.ofMillis(2700);

    /** What the settings of a session are that say how long it waits. */
    private static final Map<Engine, String> SETTINGS = Map.of(
            Engine.POSTGRESQL, "SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')",
            Engine.MARIADB,
                    "SELECT CONCAT_WS(' ', @@max_statement_time, @@innodb_lock_wait_timeout, @@lock_wait_timeout)",
            Engine.MYSQL,
                    "SELECT CONCAT_WS(' ', @@max_execution_time, @@innodb_lock_wait_timeout, @@lock_wait_timeout)");

    private static final SequenceDefinition DEFINITION = SequenceDefinition.of("h");

    private static Map<String, Consumer<OpenStore>> calls() {
        Map<String, Consumer<OpenStore>> calls = new LinkedHashMap<>();
        calls.put("reserve", store -> store.reserve("h", 1));
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
            // as it should
        }
    }

    /** What lends connections that are used again. */
    private static HikariDataSource pool(JdbcUrl url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url.driverUrl());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static JdbcUrl patient(Database database, Engine engine) {
        Database patient = database.option("seriatim.patience", PATIENCE.toMillis() + "ms");
        return JdbcUrl.parse(
                switch (engine) { // so that a call that waits without bound fails this test, and does not hang it
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

    private static void waits(SoftAssertions softly, String what, Runnable call) {
        long began = System.nanoTime();
        Throwable thrown = catchThrowable(call::run);
        Duration waited = Duration.ofNanos(System.nanoTime() - began);
        softly.assertThat(waited).as(what).isBetween(PATIENCE, PATIENCE.plus(SLACK));
        softly.assertThat(thrown)
                .as(what)
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("'h'")
                .hasMessageContaining("stayed locked")
                .hasMessageContaining("for 1300 ms; end the session that holds it, or wait longer")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB", "GALERA", "MYSQL"})
    @SuppressWarnings("try") // the holder is there to hold its lock
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
            SoftAssertions softly = new SoftAssertions();
            try (Connection holder = locking(database, engine)) {
                waits(softly, "first use", () -> other.reserve("h", 1));
            }
            assertThat(other.reserve("h", 1).block().first()).isEqualTo(1);
            assertThat(store.reserve("h", 1).block().first()).isEqualTo(2);
            try (Connection holder = locking(database, engine)) {
                waits(softly, "reserve, by connections of its own", () -> other.reserve("h", 1));
                calls().forEach((what, call) -> waits(softly, what, () -> call.accept(store)));
            }
            assertThat(other.reserve("h", 1).block().first()).isEqualTo(3);
            assertThat(store.reserve("h", 1).block().first()).isEqualTo(4);
            assertThat(store.describe("h").definition()).isEqualTo(DEFINITION);
            calls().forEach((what, call) -> {
                long began = System.nanoTime();
                call.accept(store);
                softly.assertThat(Duration.ofNanos(System.nanoTime() - began))
                        .as(what)
                        .isLessThan(PATIENCE);
            });
            try (Connection connection = pool.getConnection()) {
                softly.assertThat(settings(connection, engine)).isEqualTo(before);
            }
            softly.assertAll();
        }
    }

    @Test
    @SuppressWarnings("try") // the holder is there to hold its lock
    void who_draws_from_memory_is_told_that_it_may_be_a_lock() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Sequences sequences =
                        Sequences.over(store).patience(Duration.ofMillis(300)).build()) {
            store.create(DEFINITION);
            Sequence sequence = sequences.open("h", Allocation.adaptive());
            try (Connection holder = locking(database, Engine.POSTGRESQL)) {
                assertThat(catchThrowable(sequence::next))
                        .isInstanceOf(SequenceException.Unavailable.class)
                        .hasMessageContaining("no answer from the store within 300 ms; check that it runs and is"
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
            SoftAssertions softly = new SoftAssertions();
            waits(softly, "restart", () -> store.restart("h", 50));
            softly.assertAll();
            holder.rollback();
            assertThat(store.restart("h", 50).nextValue()).isEqualTo(50);
        }
    }
}
