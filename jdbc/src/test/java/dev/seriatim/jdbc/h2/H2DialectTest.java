// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** H2's exceptions are classified correctly. */
class H2DialectTest {

    private final Dialect h2 = new H2Dialect();

    @ParameterizedTest
    @CsvSource({
        "40001, CONFLICT",
        "90131, CONFLICT",
        "90143, CONFLICT",
        "50200, TIMED_OUT",
        "57014, TIMED_OUT",
        "23505, DUPLICATE",
        "42102, MISSING_TABLE",
        "42103, MISSING_TABLE",
        "42104, MISSING_TABLE",
        "90079, MISSING_TABLE",
        "90013, MISSING_TABLE",
        "42122, MISSING_COLUMN",
        "22003, WRONG_TYPE",
        "22004, WRONG_TYPE",
        "22018, WRONG_TYPE",
        "90004, WRONG_TYPE",
        "90096, DENIED",
        "90040, DENIED",
        "90097, READ_ONLY",
        "90067, LOST",
        "90098, LOST",
        "90121, LOST",
        "90007, LOST",
        "50000, OTHER",
        "0, OTHER",
    })
    void knows_what_an_exception_means_by_its_code(int code, Fault fault) {
        SQLException e = new SQLException("it is so", String.valueOf(code), code);
        assertThat(h2.fault(e)).isEqualTo(fault);
        assertThat(h2.lockHeld(e)).isEqualTo(fault == Fault.TIMED_OUT);
        assertThat(h2.refusesCommit(e)).isEqualTo(fault != Fault.LOST && fault != Fault.OTHER);
    }

    @ParameterizedTest
    @CsvSource({"2.5.252 (2026-01-05), true", "2.5.0, true", "2.4.240 (2025-09-22), false", "12.5.0, false"})
    void the_versions_that_were_seen_to_lose_commits_are_known(String version, boolean loses) {
        assertThat(H2Dialect.loses(version)).isEqualTo(loses);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE t SET v = v", "INSERT INTO t VALUES (0, 0)", "SELECT * FROM t FOR UPDATE"})
    void a_transaction_is_open_from_its_first_change_or_lock_to_its_end(String change) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (k INT PRIMARY KEY, v INT) AS SELECT 1, 1");
            connection.setAutoCommit(false);
            statement.execute("SELECT * FROM t");
            assertThat(new H2Dialect().inTransaction(connection)).isFalse();
            statement.execute(change);
            assertThat(new H2Dialect().inTransaction(connection)).isTrue();
            connection.setSavepoint();
            assertThat(new H2Dialect().inTransaction(connection)).isTrue();
            connection.commit();
            assertThat(new H2Dialect().inTransaction(connection)).isFalse();
            statement.execute(change.replace("(0", "(2"));
            assertThat(new H2Dialect().inTransaction(connection)).isTrue();
            connection.rollback();
            assertThat(new H2Dialect().inTransaction(connection)).isFalse();
        }
    }

    @Test
    void whether_a_transaction_is_open_is_known_while_other_sessions_end_theirs(@TempDir Path folder) throws Exception {
        String url = "jdbc:h2:" + folder.resolve("busy");
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService others = Executors.newCachedThreadPool();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (k INT PRIMARY KEY)");
            List<Future<?>> ending = IntStream.range(0, 4)
                    .<Future<?>>mapToObj(other -> others.submit(() -> {
                        endTransactions(url, other, over);
                        return null;
                    }))
                    .toList();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            while (System.nanoTime() - end < 0) {
                assertThat(new H2Dialect().inTransaction(connection)).isFalse();
            }
            over.set(true);
            for (Future<?> one : ending) {
                one.get(1, TimeUnit.MINUTES);
            }
        } finally {
            over.set(true); // not with an interrupt, which closes an H2 file
            others.shutdown();
            assertThat(others.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static void endTransactions(String url, int key, AtomicBoolean over) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            while (!over.get()) {
                statement.execute("INSERT INTO t VALUES (" + key + ")");
                connection.rollback();
                statement.execute("SELECT * FROM t");
                connection.commit();
            }
        }
    }
}
