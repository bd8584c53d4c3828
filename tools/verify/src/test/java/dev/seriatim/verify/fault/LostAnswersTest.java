// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that the server has made and whose answers a link loses, with the engines' own drivers. */
@Timeout(60)
@Tag("long")
class LostAnswersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static String through(Database database, TcpLink link, String... options) {
        StringBuilder url = new StringBuilder(LinkedUrl.parse(database.url()).through(link.port()));
        for (String option : options) {
            url.append('&').append(option);
        }
        return url.toString();
    }

    private static Database table(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute(
                "CREATE TABLE t (n INTEGER PRIMARY KEY)", "CREATE TABLE c (v BIGINT)", "INSERT INTO c VALUES (0)");
        return database;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void the_commit_is_in_the_table_and_the_client_hears_nothing(Engine engine) throws Exception {
        Database database = table(engine);
        try (TcpLink link = LinkedUrl.parse(database.url()).open();
                Connection connection = DriverManager.getConnection(through(database, link))) {
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO t VALUES (1)");
            connection.commit(); // nothing is lost before it is wanted
            AnswerLoss loss = link.loseCommitAnswers(1, 1);
            execute(connection, "SELECT n FROM t");
            connection.commit(); // of a transaction that has written nothing
            execute(connection, "INSERT INTO t VALUES (2)");
            connection.rollback();
            execute(connection, "INSERT INTO t VALUES (3)");
            assertThat(link.tally().answersLost()).isZero();
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);

            assertThat(loss.await(PATIENCE)).isTrue();
            assertThat(database.number("SELECT COUNT(*) FROM t WHERE n IN (1, 3)"))
                    .isEqualTo(2);
            assertThat(database.number("SELECT COUNT(*) FROM t WHERE n = 2")).isZero();
            assertThat(link.tally().commitAnswersLost()).isEqualTo(1);
            assertThat(link.tally().cut()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, prepareThreshold=1",
        "POSTGRESQL, prepareThreshold=0",
        "POSTGRESQL, preferQueryMode=simple",
        "MARIADB, useServerPrepStmts=true",
        "MARIADB, useServerPrepStmts=false",
        "MYSQL, useServerPrepStmts=true",
        "MYSQL, useServerPrepStmts=false"
    })
    void a_statement_that_commits_by_itself_counts_each_time_it_is_lost(Engine engine, String option) throws Exception {
        Database database = table(engine);
        try (TcpLink link = LinkedUrl.parse(database.url()).open()) {
            int lost = 0;
            for (int round = 1; round <= 4; round++) {
                Connection connection = DriverManager.getConnection(through(database, link, option));
                try {
                    var draw = connection.prepareStatement("UPDATE c SET v = v + ?");
                    var read = connection.prepareStatement("SELECT v FROM c WHERE v >= ?");
                    for (int drawn = 0; drawn < round; drawn++) {
                        draw.setLong(1, 1);
                        assertThat(draw.executeUpdate()).isEqualTo(1);
                        read.setLong(1, 0);
                        try (var rows = read.executeQuery()) {
                            assertThat(rows.next()).isTrue();
                        }
                    }
                    AnswerLoss loss = link.loseCommitAnswers(1, 1);
                    read.setLong(1, 0);
                    read.executeQuery().close();
                    draw.setLong(1, 100);
                    assertThatThrownBy(draw::executeUpdate).isInstanceOf(SQLException.class);
                    assertThat(loss.await(PATIENCE)).isTrue();
                    assertThat(link.tally().commitAnswersLost()).isEqualTo(++lost);
                } finally {
                    // A close would fail, since the connection is lost.
                    connection.abort(Runnable::run);
                }
            }
            assertThat(database.number("SELECT v FROM c")).isEqualTo(4 * 100 + 10);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, UPDATE c SET v = v + 1 RETURNING v",
        "POSTGRESQL, SELECT nextval('s')",
        "MARIADB, INSERT INTO t VALUES (7) RETURNING n",
        "MARIADB, SELECT nextval(s)"
    })
    void a_draw_that_returns_rows_is_lost_with_them(Engine engine, String draw) throws Exception {
        Database database = table(engine);
        database.execute("CREATE SEQUENCE s");
        try (TcpLink link = LinkedUrl.parse(database.url()).open();
                Connection connection = DriverManager.getConnection(through(database, link));
                var statement = connection.prepareStatement(draw)) {
            AnswerLoss loss = link.loseCommitAnswers(1, 1);
            assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
            assertThat(loss.await(PATIENCE)).isTrue();
        }
    }

    @Test
    void a_commit_that_fails_is_not_counted_and_another_one_is_lost_for_it() throws Exception {
        Database database = table(Engine.POSTGRESQL);
        database.execute("CREATE TABLE d (n INTEGER, UNIQUE (n) DEFERRABLE INITIALLY DEFERRED)");
        try (TcpLink link = LinkedUrl.parse(database.url()).open()) {
            AnswerLoss loss = link.loseCommitAnswers(1, 1);
            assertThatThrownBy(() -> insertTwiceAndCommit(database, link, "d", 5, 5))
                    .isInstanceOf(SQLException.class);
            assertThat(loss.lost()).isZero();
            assertThat(database.number("SELECT COUNT(*) FROM d")).isZero();
            assertThatThrownBy(() -> insertTwiceAndCommit(database, link, "d", 5, 6))
                    .isInstanceOf(SQLException.class);
            assertThat(loss.await(PATIENCE)).isTrue();
            assertThat(database.number("SELECT COUNT(*) FROM d")).isEqualTo(2);
            insertTwiceAndCommit(database, link, "d", 7, 8);
            assertThat(link.tally().commitAnswersLost()).isEqualTo(1);
        }
    }

    private static void insertTwiceAndCommit(Database database, TcpLink link, String table, int one, int other)
            throws SQLException {
        try (Connection connection = DriverManager.getConnection(through(database, link))) {
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO " + table + " VALUES (" + one + ")");
            execute(connection, "INSERT INTO " + table + " VALUES (" + other + ")");
            connection.commit();
        }
    }

    @Test
    void one_in_three_is_lost_until_the_number_is_reached() throws Exception {
        Database database = table(Engine.POSTGRESQL);
        try (TcpLink link = LinkedUrl.parse(database.url()).open()) {
            AnswerLoss loss = link.loseCommitAnswers(4, 3);
            StringBuilder heard = new StringBuilder();
            for (int pair = 0; pair < 14; pair++) {
                heard.append(isHeard(database, link, pair) ? '.' : 'x');
            }
            assertThat(heard).hasToString("..x..x..x..x..");
            assertThat(loss.lost()).isEqualTo(4);
            assertThat(database.number("SELECT COUNT(*) FROM t")).isEqualTo(28);
        }
    }

    private static boolean isHeard(Database database, TcpLink link, int pair) {
        try {
            insertTwiceAndCommit(database, link, "t", 2 * pair, 2 * pair + 1);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void the_rows_that_no_one_of_many_clients_heard_of_are_as_many_as_were_lost(Engine engine) throws Exception {
        Database database = table(engine);
        LongAdder heard = new LongAdder();
        AtomicInteger next = new AtomicInteger();
        ExecutorService clients = Executors.newFixedThreadPool(24);
        try (TcpLink link = LinkedUrl.parse(database.url()).open()) {
            AnswerLoss loss = link.loseCommitAnswers(100, 7);
            String url = through(database, link);
            for (int client = 0; client < 24; client++) {
                boolean alone = client % 2 == 0;
                clients.execute(() -> {
                    while (loss.lost() < 100) {
                        insertUntilCut(url, alone, next, heard);
                    }
                });
            }
            clients.shutdown();
            assertThat(clients.awaitTermination(40, TimeUnit.SECONDS)).isTrue();
            assertThat(loss.lost()).isEqualTo(100);
            assertThat(link.tally().commitAnswersLost()).isEqualTo(100);
            assertThat(database.number("SELECT COUNT(*) FROM t")).isEqualTo(heard.sum() + 100);
        } finally {
            clients.shutdownNow();
        }
    }

    private static void insertUntilCut(String url, boolean alone, AtomicInteger next, LongAdder heard) {
        try (Connection connection = DriverManager.getConnection(url);
                var insert = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
            connection.setAutoCommit(alone);
            for (int row = 0; row < 50; row++) {
                insert.setInt(1, next.incrementAndGet());
                insert.executeUpdate();
                if (!alone) {
                    connection.commit();
                }
                heard.increment();
            }
        } catch (SQLException e) {
            // Its commit was not heard of.
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void swallowed_answers_leave_the_client_waiting_until_its_connection_is_cut(Engine engine) throws Exception {
        Database database = table(engine);
        try (TcpLink link = LinkedUrl.parse(database.url()).open();
                Connection connection = DriverManager.getConnection(through(database, link))) {
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO t VALUES (1)");
            link.swallow();
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> {
                try {
                    connection.commit();
                } catch (SQLException e) {
                    throw new CompletionException(e);
                }
            });
            while (link.tally().commitAnswersLost() == 0) {
                Thread.sleep(2);
            }
            assertThat(database.number("SELECT COUNT(*) FROM t")).isEqualTo(1);
            assertThat(commit).isNotDone();
            link.restore();
            assertThatThrownBy(commit::join).hasCauseInstanceOf(SQLException.class);
            insertTwiceAndCommit(database, link, "t", 2, 3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    @EnabledIfSystemProperty(
            named = "seriatim.trials",
            matches = "soak",
            disabledReason = "takes long; -Dseriatim.trials=soak runs it")
    void two_thousand_answers_to_commits_are_lost_and_every_row_is_there(Engine engine) throws Exception {
        Database database = table(engine);
        int count = 2_000;
        long began = System.nanoTime();
        try (TcpLink link = LinkedUrl.parse(database.url()).open()) {
            AnswerLoss loss = link.loseCommitAnswers(count, 1);
            int sent = 0;
            while (loss.lost() < count) {
                try (Connection connection = DriverManager.getConnection(through(database, link))) {
                    execute(connection, "INSERT INTO t VALUES (" + ++sent + ")");
                } catch (SQLException e) {
                    // which is what is wanted
                }
            }
            assertThat(database.number("SELECT COUNT(*) FROM t")).isEqualTo(count);
            assertThat(sent).isEqualTo(count);
            assertThat(link.tally().commitAnswersLost()).isEqualTo(count);
        }
        System.out.printf(
                "link: %s lost %d answers in %d ms%n", engine, count, (System.nanoTime() - began) / 1_000_000);
    }
}
