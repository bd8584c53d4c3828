// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.TestedEngine.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.Turn;
import dev.seriatim.UnitOfWork;
import dev.seriatim.UnitStart;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Units of work whose session is killed before the commit. Their numbers are dealt again, unless they may have
 * committed.
 */
@Timeout(90)
@SuppressWarnings("NullAway.Init") // set by open
class KilledUnitsTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");

    /** What units send that a transaction survives. */
    private static final List<String> ON_POSTGRESQL = List.of(
            "SET LOCAL app.tenant = 'a;b'",
            "SET search_path = public",
            "SELECT set_config('app.tenant', 'x', true)",
            "/* who */ SET LOCAL app.tenant = 'x'; SET LOCAL app.site = 'y'",
            "SHOW search_path",
            "EXPLAIN SELECT 1",
            "LISTEN orders",
            "NOTIFY orders",
            "LOCK TABLE kept IN ROW EXCLUSIVE MODE",
            "COMMENT ON TABLE kept IS 'x'",
            "CREATE TEMP TABLE scratch (n INT)",
            "CREATE TABLE surprise (n INT)",
            "TRUNCATE scratches",
            "CALL nothing()",
            "SET CONSTRAINTS ALL DEFERRED",
            "SAVEPOINT here",
            "DECLARE c CURSOR FOR SELECT 1");

    private static final List<String> ON_MARIADB = List.of(
            "SET @tenant = 'x'",
            "/* who */ SET @tenant := 'x', @user = 'y';",
            "SET SESSION sql_mode = 'ANSI'",
            "SET LOCAL sort_buffer_size = 262144",
            "SET @@session.time_zone = '+00:00'",
            "SET time_zone = '+00:00'",
            "SET NAMES utf8mb4",
            "SET CHARACTER SET utf8mb4",
            "SET ROLE NONE",
            "SHOW TABLES",
            "SHOW VARIABLES LIKE 'autocommit'",
            "EXPLAIN SELECT * FROM kept",
            "DESCRIBE kept",
            "DESC kept",
            "DO 1",
            "DO get_lock('x', 0)",
            "SAVEPOINT here");

    private Database database;
    private JdbcSequences sequences;
    private GroupedSequence<Connection> numbers;

    private void open(Engine engine, UnitStart<Connection> start) throws SQLException {
        database = engine.freshDatabase();
        database.execute(
                KEPT.create(),
                "CREATE TABLE scratches (n INT)",
                engine == Engine.POSTGRESQL
                        ? "CREATE PROCEDURE nothing() LANGUAGE plpgsql AS 'BEGIN PERFORM 1; END'"
                        : "CREATE PROCEDURE nothing() BEGIN END");
        sequences = JdbcSequences.open(database.url());
        numbers = sequences.gapless("s").grouped(start);
        numbers.commit(turn -> keep(turn, 3));
    }

    @AfterEach
    void close() {
        if (sequences != null) {
            sequences.close();
        }
    }

    private static List<String> survived(Engine engine) {
        return engine == Engine.POSTGRESQL ? ON_POSTGRESQL : ON_MARIADB;
    }

    private static long keep(Turn<Connection> turn, int count) throws SQLException {
        long last = 0;
        for (int i = 0; i < count; i++) {
            last = KEPT.keepNext(turn);
        }
        return last;
    }

    /** Ends the session, and returns when the server has rolled its transaction back. */
    private void kill(Connection connection) throws SQLException {
        boolean postgres = database.url().contains("postgres");
        long id = number(connection, postgres ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()");
        String kill = postgres ? "SELECT pg_terminate_backend(" + id + ")" : "KILL CONNECTION " + id;
        String lives = postgres
                ? "SELECT COUNT(*) FROM pg_stat_activity WHERE pid = " + id
                : "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + id;
        try (Connection other = database.connect()) {
            while (number(other, lives) > 0) {
                Throwable gone = catchThrowable(() -> execute(other, kill)); // MariaDB can miss it
                assertThat(gone == null || gone instanceof SQLException).isTrue();
            }
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    /** A unit that works, keeps three numbers, and is killed; returns the exception of its caller. */
    private Throwable killedAfter(Work work) {
        return catchThrowable(() -> numbers.<Long, Exception>commit(turn -> {
            work.on(turn.transaction());
            long last = keep(turn, 3);
            kill(turn.transaction());
            return last;
        }));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_unit_that_cannot_have_committed_leaves_no_gap_and_its_outcome_is_known(Engine engine) throws Exception {
        open(engine, connection -> {});
        long kept = 3;
        for (String sql : survived(engine)) {
            assertThat(killedAfter(connection -> execute(connection, sql)))
                    .as(sql)
                    .isInstanceOf(SequenceException.class)
                    .isNotInstanceOf(CommitOutcomeUnknown.class)
                    .hasNoSuppressedExceptions();
            kept = numbers.commit(turn -> keep(turn, 1));
        }
        KEPT.assertUpTo(database, 3 + survived(engine).size());
        assertThat(kept).isEqualTo(3 + survived(engine).size());
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_unit_that_may_have_committed_leaves_no_gap_if_the_counter_shows_that_it_has_not(Engine engine)
            throws Exception {
        open(engine, connection -> {});
        List<Work> works = List.of(
                connection -> connection.unwrap(Connection.class),
                connection -> execute(connection, "CALL nothing()"),
                connection -> execute(
                        connection,
                        engine == Engine.POSTGRESQL
                                ? "DO 'BEGIN PERFORM 1; END'"
                                : "CREATE OR REPLACE TEMPORARY TABLE scratch (n INT)"),
                connection -> connection.prepareStatement("COMMIT").close(),
                connection -> assertThatThrownBy(() -> execute(connection.unwrap(Connection.class), "NONSENSE"))
                        .isInstanceOf(SQLException.class));
        long expected = 3;
        for (Work work : works.subList(0, engine == Engine.POSTGRESQL ? 4 : 5)) {
            assertThat(killedAfter(work))
                    .isInstanceOf(SequenceException.class)
                    .isNotInstanceOf(CommitOutcomeUnknown.class);
            assertThat(catchThrowable(() -> numbers.<Long, Exception>commit(turn -> {
                        work.on(turn.transaction());
                        keep(turn, 2);
                        kill(turn.transaction());
                        return keep(turn, 1);
                    })))
                    .as("what the unit itself threw")
                    .isInstanceOf(SQLException.class);
            assertThat(numbers.<Long, SQLException>commit(turn -> keep(turn, 1)))
                    .isEqualTo(++expected);
        }
        KEPT.assertUpTo(database, expected);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_unit_that_has_committed_before_it_was_killed_keeps_its_numbers(Engine engine) throws Exception {
        open(engine, connection -> {});
        for (String end : engine == Engine.POSTGRESQL
                ? List.of("COMMIT", "/* now */ END", "SELECT 1; COMMIT AND CHAIN")
                : List.of(
                        "COMMIT",
                        "CREATE TABLE surprise (n INT)",
                        "SET autocommit = 1",
                        "SET STATEMENT sql_mode = '' FOR COMMIT",
                        "BEGIN")) {
            assertThat(catchThrowable(() -> numbers.<Long, Exception>commit(turn -> {
                        long last = keep(turn, 3);
                        execute(turn.transaction(), end);
                        kill(turn.transaction());
                        return last;
                    })))
                    .as(end)
                    .isInstanceOf(CommitOutcomeUnknown.class)
                    .hasNoSuppressedExceptions();
        }
        int units = engine == Engine.POSTGRESQL ? 3 : 5;
        assertThat(numbers.<Long, SQLException>commit(turn -> keep(turn, 1))).isEqualTo(3 + 3 * units + 1);
        KEPT.assertUpTo(database, 3 + 3 * units + 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void the_outcome_is_unknown_if_another_session_has_drawn_since(Engine engine) throws Exception {
        open(engine, connection -> {});
        try (JdbcSequences others = JdbcSequences.open(database.url())) {
            GroupedSequence<Connection> elsewhere = others.gapless("s").grouped();
            assertThat(catchThrowable(() -> numbers.<Long, Exception>commit(turn -> {
                        turn.transaction().unwrap(Connection.class);
                        long last = keep(turn, 3);
                        kill(turn.transaction());
                        assertThat(elsewhere.<Long, SQLException>commit(other -> keep(other, 1)))
                                .isEqualTo(4);
                        return last;
                    })))
                    .isInstanceOf(CommitOutcomeUnknown.class);
        }
        assertThat(numbers.<Long, SQLException>commit(turn -> keep(turn, 1)))
                .as("behind the numbers that may be stored")
                .isEqualTo(7);
    }

    /** The lists are right: what they name can be rolled back on the server. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void what_is_taken_to_leave_the_transaction_open_does_so(Engine engine) throws Exception {
        open(engine, connection -> {});
        for (String sql : survived(engine)) {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                KEPT.keep(connection, 77);
                execute(connection, sql);
                connection.rollback();
            }
            KEPT.assertUpTo(database, 3);
        }
    }

    @Test
    void on_postgresql_neither_a_procedure_nor_a_block_commits_a_transaction_that_the_client_has_begun()
            throws Exception {
        open(Engine.POSTGRESQL, connection -> {});
        database.execute("CREATE PROCEDURE commits() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'");
        for (String sql : List.of("CALL commits()", "DO 'BEGIN COMMIT; END'", "DO 'BEGIN CALL commits(); END'")) {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                KEPT.keep(connection, 77);
                assertThatThrownBy(() -> execute(connection, sql))
                        .hasMessageContaining("invalid transaction termination");
                connection.rollback();
            }
        }
        KEPT.assertUpTo(database, 3);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void under_random_kills_units_that_set_their_tenant_leave_no_gap(Engine engine) throws Exception {
        open(
                engine,
                connection -> execute(
                        connection, engine == Engine.POSTGRESQL ? "SET LOCAL app.tenant = 'x'" : "SET @tenant = 'x'"));
        long end = System.nanoTime() + Duration.ofSeconds(8).toNanos();
        AtomicInteger failed = new AtomicInteger();
        UnitOfWork<Connection, Long, SQLException> unit = turn -> keep(turn, 3);
        Callable<Integer> caller = () -> {
            int committed = 0;
            while (System.nanoTime() < end) {
                try {
                    numbers.commit(unit);
                    committed++;
                } catch (SQLException | SequenceException e) {
                    failed.incrementAndGet();
                }
            }
            return committed;
        };
        ExecutorService callers = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> results = new ArrayList<>();
            Stream.generate(() -> caller).limit(4).forEach(each -> results.add(callers.submit(each)));
            int kills = killAtRandom(end);
            int committed = 0;
            for (Future<Integer> result : results) {
                committed += result.get(30, TimeUnit.SECONDS);
            }
            assertThat(committed).isPositive();
            assertThat(failed).hasPositiveValue();
            long last = numbers.commit(unit);
            System.out.println("trial: " + engine + ", " + kills + " kills, " + last + " numbers, " + committed
                    + " units committed, " + failed + " failed");
            KEPT.assertUpTo(database, last);
        } finally {
            callers.shutdownNow();
        }
    }

    private int killAtRandom(long end) throws Exception {
        Random random = new Random(1);
        int kills = 0;
        String sessions = database.url().contains("postgres")
                ? "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                : "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()";
        try (Connection killer = database.connect()) {
            while (System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(20 + random.nextInt(60)); // the units work meanwhile
                List<Long> ids = new ArrayList<>();
                try (Statement statement = killer.createStatement();
                        var row = statement.executeQuery(sessions)) {
                    while (row.next()) {
                        ids.add(row.getLong(1));
                    }
                }
                for (long id : ids) {
                    kills++;
                    Throwable gone = catchThrowable(() -> execute(
                            killer,
                            database.url().contains("postgres")
                                    ? "SELECT pg_terminate_backend(" + id + ")"
                                    : "KILL CONNECTION " + id));
                    kills -= gone == null ? 0 : 1;
                }
            }
        }
        return kills;
    }
}
