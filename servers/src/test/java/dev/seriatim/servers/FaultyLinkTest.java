// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A link drops the answer to a completed commit, and can be restored. */
class FaultyLinkTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void a_commit_happens_and_its_answer_is_lost(Engine engine) throws Exception {
        Database direct = engine.freshDatabase();
        direct.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)");
        try (FaultyLink link = FaultyLink.to(direct);
                Connection connection = link.database().connect()) {
            connection.setAutoCommit(false);
            insert(connection);

            link.cutAnswers();
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> commit(connection));
            Waiting.until(PATIENCE, "the commit", () -> rows(direct) == 1);
            assertThat(commit).isNotDone();
            link.cut();
            assertThatThrownBy(commit::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseInstanceOf(Exception.class);
            assertThatThrownBy(() -> link.database().connect()).isInstanceOf(SQLException.class);

            link.restore();
            assertThat(rows(link.database())).isEqualTo(1);
        }
    }

    private static void insert(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("INSERT INTO t VALUES (1)");
        }
    }

    private static void commit(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long rows(Database database) {
        try {
            return database.number("SELECT count(*) FROM t");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
