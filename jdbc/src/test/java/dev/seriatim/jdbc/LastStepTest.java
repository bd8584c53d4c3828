// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.ColumnName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A number that is drawn last, stored and committed, on the connections of callers. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // each test opens its own
class LastStepTest {

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Database database;
    private JdbcSequences sequences;
    private GaplessSequence<Connection> invoices;

    private void open(Engine engine) throws SQLException {
        open(engine.freshDatabase(), Duration.ofSeconds(10));
    }

    private void open(Database fresh, Duration patience) throws SQLException {
        database = fresh;
        database.execute("CREATE TABLE invoice (id INTEGER PRIMARY KEY, number INTEGER)");
        sequences = JdbcSequences.borrowing(database.dataSource(), settings -> settings.patience(patience));
        opened.add(sequences);
        invoices = sequences.gapless("invoice_id");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private static Connection begun(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private Connection inserted(int id) throws SQLException {
        Connection connection = begun(database.dataSource());
        TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (" + id + ")");
        return connection;
    }

    private static void store(Connection connection, int id, long number) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE invoice SET number = ? WHERE id = ?")) {
            update.setLong(1, number);
            update.setInt(2, id);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    private long stored(int id) throws SQLException {
        return database.number("SELECT COALESCE(SUM(number), -1) FROM invoice WHERE id = " + id);
    }

    private long next() {
        return sequences.store().describe("invoice_id").nextValue();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2", "SQLITE"})
    void the_number_is_stored_and_committed_and_the_connection_can_go_on(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = inserted(1)) {
            assertThat(invoices.last(connection, number -> store(connection, 1, number)))
                    .isEqualTo(1);
            assertThat(stored(1)).isEqualTo(1);
            assertThat(connection.getAutoCommit()).isFalse();
            TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (2)");
            assertThat(invoices.last(connection, number -> store(connection, 2, number)))
                    .isEqualTo(2);
            TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (3)");
            connection.rollback();
        }
        assertThat(database.number("SELECT COUNT(*) FROM invoice")).isEqualTo(2);
        assertThat(next()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void others_draw_while_the_work_before_it_goes_on(Engine engine) throws SQLException {
        open(engine);
        try (Connection one = inserted(1);
                Connection two = inserted(2)) {
            invoices.last(two, number -> {
                store(two, 2, number);
                try (Connection three = inserted(3)) {
                    three.rollback();
                }
            });
            invoices.last(one, number -> store(one, 1, number));
        }
        assertThat(stored(2)).isEqualTo(1);
        assertThat(stored(1)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_step_that_fails_takes_the_work_before_it_back(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = inserted(1)) {
            Throwable failure = catchThrowable(() -> invoices.last(
                    connection, number -> TestedEngine.execute(connection, "UPDATE nowhere SET number = 1")));
            assertThat(failure).isInstanceOf(SQLException.class).hasNoSuppressedExceptions();
            connection.commit(); // by a caller that ignores it
        }
        assertThat(database.number("SELECT COUNT(*) FROM invoice")).isZero();
        assertThat(next()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void auto_commit_and_closed_sequences_are_refused_before_the_step(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> invoices.last(connection, number -> {
                        throw new AssertionError("ran");
                    }))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("auto-commit mode");
        }
        assertThat(next()).isEqualTo(1);
        sequences.close();
        try (Connection connection = inserted(1)) {
            assertThatThrownBy(() -> invoices.last(connection, number -> {
                        throw new AssertionError("ran");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE"})
    void a_failure_between_the_draw_and_the_step_takes_the_number_back(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = inserted(1)) {
            invoices.next(connection); // later, the draw is one prepared statement
            connection.rollback();
            Connection failing = DriverProxy.of(Connection.class, (self, method, arguments) -> {
                if (method.getName().equals("createStatement")) {
                    throw new SQLException("no savepoint");
                }
                return method.invoke(connection, arguments);
            });
            assertThatThrownBy(() -> invoices.last(failing, number -> {
                        throw new AssertionError("ran");
                    }))
                    .isInstanceOf(SequenceException.class)
                    .hasMessageContaining("no savepoint");
            connection.commit();
        }
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void the_texts_of_savepoints_are_few() throws SQLException {
        open(Engine.SQLITE);
        Set<String> texts = new HashSet<>();
        try (Connection connection = begun(database.dataSource())) {
            Connection noting = DriverProxy.of(Connection.class, (self, method, arguments) -> {
                Object made = method.invoke(connection, arguments);
                return !method.getName().equals("createStatement")
                        ? made
                        : DriverProxy.of(Statement.class, (statement, call, texted) -> {
                            if (call.getName().equals("execute")) {
                                texts.add((String) texted[0]);
                            }
                            return call.invoke(made, texted);
                        });
            });
            for (int i = 0; i < 500; i++) {
                invoices.last(noting, number -> {});
            }
        }
        assertThat(texts).anyMatch(text -> text.startsWith("SAVEPOINT ")).hasSizeLessThan(200);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_lost_answer_to_the_commit_is_reported_as_unknown(Engine engine) throws SQLException {
        open(engine);
        LossyCommits lossy = new LossyCommits();
        try (Connection connection = begun(lossy.over(database.dataSource()))) {
            TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (1)");
            lossy.loseOne();
            assertThatThrownBy(() -> invoices.last(connection, number -> store(connection, 1, number)))
                    .isInstanceOf(CommitOutcomeUnknown.class)
                    .hasMessageContaining("sequence 'invoice_id'");
        }
        assertThat(stored(1)).isEqualTo(1);
        assertThat(next()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2", "SQLITE"})
    void a_step_that_ends_its_transaction_loses_no_number_that_it_has_stored(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = inserted(1)) {
            assertUndone(() -> invoices.last(connection, number -> {
                store(connection, 1, number);
                connection.commit();
            }));
        }
        assertThat(stored(1)).isEqualTo(1);
        assertThat(next()).isEqualTo(2);
        Connection closed = inserted(2);
        assertThatThrownBy(() -> invoices.last(closed, number -> {
                    store(closed, 2, number);
                    closed.close();
                }))
                .isInstanceOf(SequenceException.class);
        // Closing it may commit, as on H2, or roll back.
        long rows = database.number("SELECT COUNT(*) FROM invoice");
        assertThat(database.number("SELECT MAX(number) FROM invoice")).isEqualTo(rows);
        assertThat(next()).isEqualTo(rows + 1);
    }

    @Test
    void a_driver_whose_savepoints_are_not_released_hides_no_rollback() throws SQLException {
        open(Engine.MYSQL);
        try (Connection connection = inserted(1)) {
            Connection old = DriverProxy.of(
                    Connection.class,
                    (self, method, arguments) -> method.getName().equals("releaseSavepoint")
                            ? null // as in Connector/J before 8.2
                            : method.invoke(connection, arguments));
            assertUndone(() -> invoices.last(old, number -> connection.rollback()));
        }
        assertNothingCommitted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK"})
    void a_transaction_of_sqlite_that_ends_in_sql_leaves_the_connection_usable(String end) throws SQLException {
        open(Engine.SQLITE);
        try (Connection connection = begun(database.dataSource())) {
            assertUndone(() -> invoices.last(connection, number -> TestedEngine.execute(connection, end)));
            TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (1)");
            connection.rollback();
        }
        assertThat(database.number("SELECT COUNT(*) FROM invoice")).isZero();
    }

    private static void assertUndone(ThrowingCallable last) {
        assertThatThrownBy(last)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("sequence 'invoice_id'")
                .hasMessageContaining("let the exception propagate");
    }

    private void assertNothingCommitted() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM invoice")).isZero();
        assertThat(next()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2", "SQLITE"})
    void a_step_that_rolls_back_commits_nothing(Engine engine) throws SQLException {
        open(engine);
        for (boolean goesOn : List.of(false, true)) {
            try (Connection connection = inserted(1)) {
                assertUndone(() -> invoices.last(connection, number -> {
                    connection.rollback();
                    if (goesOn) {
                        TestedEngine.execute(connection, "INSERT INTO invoice (id, number) VALUES (1, " + number + ")");
                    }
                }));
                connection.commit();
            }
            assertNothingCommitted();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2", "SQLITE"})
    void a_step_may_go_back_to_its_own_savepoint_but_not_to_an_older_one(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = begun(database.dataSource())) {
            invoices.next(connection);
            Savepoint older = connection.setSavepoint();
            TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (1)");
            assertUndone(() -> invoices.last(connection, number -> {
                connection.rollback(older);
                TestedEngine.execute(connection, "INSERT INTO invoice (id, number) VALUES (1, " + number + ")");
            }));
        }
        assertNothingCommitted();
        try (Connection connection = inserted(1)) {
            assertThat(invoices.last(connection, number -> {
                        Savepoint own = connection.setSavepoint();
                        store(connection, 1, number + 7);
                        connection.rollback(own);
                        store(connection, 1, number);
                        assertThat(invoices.next(connection)).isEqualTo(2);
                    }))
                    .isEqualTo(1);
        }
        assertThat(stored(1)).isEqualTo(1);
        assertThat(next()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2", "SQLITE"})
    void a_failure_that_the_step_swallows_commits_all_or_nothing(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = inserted(1)) {
            ThrowingCallable last = () -> invoices.last(connection, number -> {
                store(connection, 1, number);
                assertThatThrownBy(() -> TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (1)"))
                        .isInstanceOf(SQLException.class);
            });
            if (engine == Engine.POSTGRESQL) {
                assertThatThrownBy(last)
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("let its exception propagate");
                assertNothingCommitted();
            } else {
                assertThatCode(last).doesNotThrowAnyException();
                assertThat(stored(1)).isEqualTo(1);
                assertThat(next()).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_deadlock_that_the_step_swallows_commits_nothing(boolean goesOn) throws Exception {
        open(Engine.MARIADB);
        database.execute("CREATE TABLE stock (id INTEGER PRIMARY KEY)");
        database.execute("INSERT INTO stock VALUES (1), (2)");
        try (Connection connection = inserted(1);
                Connection other = begun(database.dataSource())) {
            for (int id = 10; id < 60; id++) { // the server takes back the transaction with fewer rows
                TestedEngine.execute(other, "INSERT INTO stock VALUES (" + id + ")");
            }
            TestedEngine.execute(other, "SELECT * FROM stock WHERE id = 2 FOR UPDATE");
            assertUndone(() -> invoices.last(connection, number -> {
                store(connection, 1, number);
                TestedEngine.execute(connection, "SELECT * FROM stock WHERE id = 1 FOR UPDATE");
                CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> {
                    try {
                        TestedEngine.execute(other, "SELECT * FROM stock WHERE id = 1 FOR UPDATE");
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                });
                assertThatThrownBy(
                                () -> TestedEngine.execute(connection, "SELECT * FROM stock WHERE id = 2 FOR UPDATE"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(1213));
                waits.join();
                if (goesOn) {
                    TestedEngine.execute(connection, "INSERT INTO invoice (id, number) VALUES (1, " + number + ")");
                }
            }));
        }
        assertNothingCommitted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "preferQueryMode=simple",
                "autosave=always&cleanupSavepoints=true",
                "autosave=conservative",
                "prepareThreshold=1"
            })
    void every_setting_of_the_driver_keeps_it_all_or_nothing(String settings) throws SQLException {
        open(Engine.POSTGRESQL);
        Database set = database;
        for (String each : settings.split("&", -1)) {
            set = set.option(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        try (Connection connection = set.connect()) {
            connection.setAutoCommit(false);
            for (boolean rollsBackAgain : List.of(false, true)) {
                assertUndone(() -> invoices.last(connection, number -> {
                    connection.rollback();
                    TestedEngine.execute(connection, "INSERT INTO invoice (id, number) VALUES (2, " + number + ")");
                    if (rollsBackAgain) {
                        connection.rollback();
                    }
                }));
                assertNothingCommitted();
            }
            for (int id = 1; id <= 7; id++) {
                TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (" + id + ")");
                int row = id;
                assertThat(invoices.last(connection, number -> store(connection, row, number)))
                        .isEqualTo(id);
            }
            connection.rollback();
        }
        assertThat(stored(7)).isEqualTo(7);
        assertThat(next()).isEqualTo(8);
    }

    @Test
    void a_server_in_oracle_mode_commits_too() throws SQLException {
        open(Engine.MARIADB);
        try (Connection connection = inserted(1)) {
            TestedEngine.execute(connection, "SET sql_mode = 'ORACLE'");
            assertThat(invoices.last(connection, number -> store(connection, 1, number)))
                    .isEqualTo(1);
            assertUndone(() -> invoices.last(connection, number -> connection.rollback()));
        }
        assertThat(stored(1)).isEqualTo(1);
        assertThat(next()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_savepoint_before_it_does_not_matter_and_one_after_it_is_gone(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = inserted(1)) {
            Savepoint before = connection.setSavepoint();
            invoices.next(connection);
            connection.rollback(before);
            assertThat(invoices.last(connection, number -> store(connection, 1, number)))
                    .isEqualTo(1);
            assertThatThrownBy(() -> connection.rollback(before)).isInstanceOf(SQLException.class);
            connection.rollback();
        }
        assertThat(stored(1)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_counter_that_stays_locked_leaves_the_transaction_open(Engine engine) throws SQLException {
        open(engine.freshDatabase(), Duration.ofMillis(300));
        try (Connection holder = begun(database.dataSource());
                Connection connection = inserted(1)) {
            invoices.next(holder);
            Savepoint before = connection.setSavepoint();
            assertThatThrownBy(() -> invoices.last(connection, number -> {
                        throw new AssertionError("ran");
                    }))
                    .isInstanceOf(Overloaded.class);
            holder.commit();
            connection.rollback(before);
            assertThat(invoices.last(connection, number -> store(connection, 1, number)))
                    .isEqualTo(2);
        }
        assertThat(stored(1)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_thread_that_is_interrupted_gets_its_number(Engine engine) throws SQLException {
        open(engine);
        try (Connection connection = inserted(1)) {
            Thread.currentThread().interrupt();
            long number;
            try {
                number = invoices.last(connection, drawn -> store(connection, 1, drawn));
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(number).isEqualTo(1);
        }
        assertThat(stored(1)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void connections_of_a_pool_and_of_the_store_go_back_clean(Engine engine) throws SQLException {
        open(engine);
        try (HikariDataSource pool = TestedEngine.pool(database.dataSource(), 1)) {
            for (int id = 1; id <= 2; id++) {
                int row = id;
                try (Connection connection = begun(pool)) {
                    TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (" + row + ")");
                    invoices.last(connection, number -> store(connection, row, number));
                    TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (90)"); // not committed
                }
            }
        }
        long third = sequences.<Long, SQLException>inTransaction(connection -> {
            TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (3)");
            return invoices.last(connection, number -> store(connection, 3, number));
        });
        assertThat(third).isEqualTo(3);
        assertThat(database.number("SELECT COUNT(*) FROM invoice")).isEqualTo(3);
        assertThat(stored(3)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_unit_of_work_cannot_commit_what_it_shares(Engine engine) throws SQLException {
        open(engine);
        GaplessSequence<Connection> others = sequences.gapless("other_id");
        assertThatThrownBy(() -> invoices.grouped().commit(turn -> others.last(turn.transaction(), number -> {})))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("draw with next");
        assertThat(sequences.store().describe("other_id").nextValue()).isEqualTo(1);
        assertThat(invoices.grouped().<Long, RuntimeException>commit(turn -> turn.next()))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void an_old_snapshot_is_a_conflict(String level) throws SQLException {
        open(Engine.POSTGRESQL);
        try (Connection connection = inserted(1);
                Connection other = inserted(2)) {
            connection.rollback();
            TestedEngine.execute(connection, "SET TRANSACTION ISOLATION LEVEL " + level);
            TestedEngine.execute(connection, "INSERT INTO invoice (id) VALUES (1)");
            invoices.last(other, number -> store(other, 2, number));
            assertThatThrownBy(() -> invoices.last(connection, number -> store(connection, 1, number)))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("retry it");
            connection.rollback();
        }
        assertThat(next()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2", "SQLITE"})
    void a_database_without_triggers_at_the_commit_refuses_them_and_names_this(Engine engine) throws SQLException {
        open(engine);
        ColumnName column = ColumnName.of("invoice", "number");
        for (Optional<String> sequence : List.of(Optional.of("invoice_id"), Optional.<String>empty())) {
            for (boolean prints : List.of(true, false)) {
                assertThatThrownBy(() -> sequences.store().atCommit(column, sequence, prints))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("invoice.number cannot be numbered at the commit by " + engine.title())
                        .hasMessageContaining("GaplessSequence.last");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_server_that_hangs_at_the_commit_holds_the_caller_a_second_longer_than_the_patience(boolean postgresql)
            throws Exception {
        try (Server server = postgresql ? Server.postgresql(Map.of()) : Server.mariadb(Map.of())) {
            open(server.freshDatabase(), Duration.ofSeconds(1));
            try (Connection connection = inserted(1)) {
                long[] began = new long[1];
                Throwable failure = catchThrowable(() -> invoices.last(connection, number -> {
                    store(connection, 1, number);
                    server.suspend();
                    began[0] = System.nanoTime();
                }));
                Duration waited = Duration.ofNanos(System.nanoTime() - began[0]);
                server.resume();
                assertThat(failure).isInstanceOf(CommitOutcomeUnknown.class);
                assertThat(waited).isBetween(Duration.ofMillis(1900), Duration.ofSeconds(20));
            }
            // The answer was not waited for, and the commit happened or did not.
            CountDownLatch settled = new CountDownLatch(1);
            CompletableFuture.runAsync(() -> {
                        while (true) {
                            try (Connection again = inserted(2)) {
                                invoices.last(again, number -> store(again, 2, number));
                                settled.countDown();
                                return;
                            } catch (SequenceException.Overloaded | SequenceException.Unavailable retried) {
                                // the server still ends the lost session
                            } catch (SQLException e) {
                                throw new AssertionError(e);
                            }
                        }
                    })
                    .get(60, TimeUnit.SECONDS);
            assertThat(settled.getCount()).isZero();
            assertThat(database.number("SELECT MAX(number) FROM invoice"))
                    .isEqualTo(database.number("SELECT COUNT(number) FROM invoice"));
        }
    }
}
