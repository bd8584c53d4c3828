// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Landing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How long a draw in the caller's transaction waits for a lock that another transaction holds, and for a hung server.
 */
@Timeout(120)
@Tag("long")
class DrawPatienceTest {

    private static final Duration PATIENCE = Duration.ofMillis(1300);
    // Some engines count in whole seconds, and a busy machine is slow.
    private static final Duration SLACK = Duration.ofMillis(1900);

    private static TransactionalSequence<Connection> drawn(JdbcStore store, String name) throws SQLException {
        store.create(SequenceDefinition.of(name));
        return TransactionalSequence.of(store, name).patience(PATIENCE);
    }

    private static Connection begun(Database database) throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs a draw that must fail in time, and returns what it threw. */
    private static Throwable inTime(Duration least, Duration most, Runnable draw) {
        long began = System.nanoTime();
        Throwable thrown = catchThrowable(draw::run);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(least, most);
        return thrown;
    }

    private static String setting(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRESQL", "MARIADB", "MYSQL"})
    void a_draw_waits_for_a_lock_no_longer_than_its_patience(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                JdbcStore other = JdbcStore.open(database.dataSource());
                Connection holder = begun(database);
                Connection waiter = begun(database)) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            assertThat(sequence.next(holder)).isEqualTo(1);
            // One knows the sequence and draws with one statement, the other locks its row first.
            TransactionalSequence<Connection> first =
                    TransactionalSequence.of(other, "s").patience(PATIENCE);
            for (TransactionalSequence<Connection> known : List.of(sequence, first)) {
                Throwable thrown = inTime(PATIENCE, PATIENCE.plus(SLACK), () -> known.next(waiter));
                assertThat(thrown)
                        .isInstanceOf(SequenceException.Overloaded.class)
                        .hasMessageContaining("'s'")
                        .hasMessageContaining("for a lock held by another transaction")
                        .hasMessageContaining("roll the whole transaction back")
                        .hasMessageNotContaining("\n");
                waiter.rollback();
            }
            holder.commit();
            assertThat(sequence.next(waiter)).isEqualTo(2);
            assertThat(first.next(waiter)).isEqualTo(3);
            waiter.commit();
        }
    }

    @Test
    void an_outdated_snapshot_of_sqlites_is_a_conflict_and_no_wait() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection reader = begun(database)) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            setting(reader, "SELECT COUNT(*) FROM seriatim_sequence");
            store.create(SequenceDefinition.of("other"));
            assertThatThrownBy(() -> sequence.next(reader))
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("conflict with another session")
                    .hasMessageContaining("roll the whole transaction back")
                    .hasMessageNotContaining("waited");
            reader.rollback();
            assertThat(sequence.next(reader)).isEqualTo(1);
            reader.commit();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
    void a_closed_connection_is_of_no_use_to_the_next_call_either(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        Connection closed = begun(database);
        closed.close();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            assertThatThrownBy(() -> sequence.next(closed))
                    .isInstanceOf(SequenceException.Unavailable.class)
                    .hasMessageContaining("'s'")
                    .hasMessageContaining("is closed")
                    .hasMessageContaining("retry the whole transaction on another connection");
        }
    }

    @Test
    void h2_waits_as_long_as_its_own_lock_timeout() throws Exception {
        Database database = Engine.H2.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection holder = begun(database);
                Connection waiter = begun(database)) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            assertThat(sequence.next(holder)).isEqualTo(1);
            execute(waiter, "SET LOCK_TIMEOUT 400");
            Throwable thrown = inTime(Duration.ofMillis(400), Duration.ofMillis(1200), () -> sequence.next(waiter));
            assertThat(thrown)
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("for a lock held by another transaction");
        }
    }

    @Test
    void a_snapshot_of_sqlite_that_is_out_of_date_is_a_conflict_at_once() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection reader = begun(database)) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            setting(reader, "SELECT COUNT(*) FROM seriatim_sequence");
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
            Throwable thrown = inTime(Duration.ZERO, PATIENCE, () -> sequence.next(reader));
            assertThat(thrown)
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("conflict with another session");
        }
    }

    @Test
    void the_settings_of_the_callers_connection_are_put_back() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection connection = begun(database)) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            store.create(SequenceDefinition.of("t"));
            connection.setNetworkTimeout(Runnable::run, 77_000);
            execute(connection, "SET lock_timeout = '7s'");
            for (int i = 0; i < 3; i++) { // with the lock first, then with one statement
                sequence.next(connection);
                assertThat(setting(connection, "SHOW lock_timeout")).isEqualTo("7s");
                assertThat(connection.getNetworkTimeout()).isEqualTo(77_000);
            }
            store.drop("t");
            assertThatThrownBy(() -> TransactionalSequence.of(store, "t").next(connection))
                    .isInstanceOf(SequenceException.NotFound.class);
            assertThat(setting(connection, "SHOW lock_timeout")).isEqualTo("7s");
            connection.commit();
            assertThat(setting(connection, "SHOW lock_timeout")).isEqualTo("7s");
        }
        Database maria = Engine.MARIADB.freshDatabase();
        try (JdbcStore store = JdbcStore.open(maria.dataSource());
                Connection connection = begun(maria)) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            execute(connection, "SET SESSION max_statement_time = 70");
            sequence.next(connection);
            sequence.next(connection);
            assertThat(setting(connection, "SELECT @@max_statement_time")).startsWith("70.0");
        }
    }

    @Test
    void a_shorter_limit_of_the_caller_holds() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection holder = begun(database);
                Connection waiter = begun(database)) {
            TransactionalSequence<Connection> sequence = drawn(store, "s");
            sequence.next(holder);
            execute(waiter, "SET lock_timeout = 200");
            assertThat(inTime(Duration.ofMillis(200), Duration.ofMillis(1200), () -> sequence.next(waiter)))
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("for a lock held by another transaction");
        }
    }

    static Stream<Arguments> servers() {
        Supplier<Server> postgresql = () -> Server.postgresql(Map.of());
        Supplier<Server> mariadb = () -> Server.mariadb(Map.of());
        return Stream.of(Arguments.of("PostgreSQL", postgresql), Arguments.of("MariaDB", mariadb));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void a_server_that_hangs_holds_no_draw_much_longer_than_its_patience(String engine, Supplier<Server> started)
            throws Exception {
        try (Server server = started.get()) {
            Database database = server.freshDatabase();
            try (HikariDataSource pool = pool(database);
                    JdbcStore store = JdbcStore.open(pool);
                    StoreSequences sequences =
                            StoreSequences.builder(store).patience(PATIENCE).build()) {
                TransactionalSequence<Connection> sequence = drawn(store, "s");
                store.create(SequenceDefinition.of("p"));
                List<StoreSequences> patient = new ArrayList<>();
                var unused = Landing.<Connection, JdbcStore>awaited(store, "p", patient);
                patient.forEach(StoreSequences::close);
                PooledSequence<Connection> pooled = sequences.pooled("p", store);
                assertThat(store.<Long, RuntimeException>inTransaction(sequence::next))
                        .isEqualTo(1);
                assertThat(store.<Long, RuntimeException>inTransaction(pooled::next))
                        .isEqualTo(1);
                try (Connection one = pool.getConnection();
                        Connection two = pool.getConnection()) {
                    one.setAutoCommit(false);
                    two.setAutoCommit(false);
                    sequence.next(one);
                    pooled.next(two);
                    server.suspend();
                    try {
                        Duration most = PATIENCE.plusSeconds(1).plus(SLACK);
                        assertNoAnswer(inTime(PATIENCE, most, () -> sequence.next(one)), "'s'");
                        assertNoAnswer(inTime(PATIENCE, most, () -> pooled.next(two)), "'p'");
                    } finally {
                        server.resume();
                    }
                }
                assertThat(onceItAnswers(() -> store.inTransaction(sequence::next)))
                        .isEqualTo(2);
                assertThat(onceItAnswers(() -> store.inTransaction(pooled::next)))
                        .isGreaterThan(1);
                try (Connection reused = pool.getConnection()) {
                    assertThat(reused.getNetworkTimeout()).isZero();
                }
            }
        }
    }

    /** Retries until the server has noticed a lost connection, whose transaction still holds the lock. */
    private static long onceItAnswers(Supplier<Long> draw) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            try {
                return draw.get();
            } catch (SequenceException.Overloaded | SequenceException.Unavailable e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }

    private static void assertNoAnswer(Throwable thrown, String name) {
        assertThat(thrown)
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining(name)
                .hasMessageContaining("no answer from")
                .hasMessageContaining("roll back")
                .hasMessageNotContaining("\n");
    }

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(6);
        return new HikariDataSource(config);
    }
}
