// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.sql.BorrowedConnections;
import dev.seriatim.jdbc.sql.Lender;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.store.SequenceTable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

@Tag("long")
class GuardedStatementTest {

    @TempDir
    Path folder;

    private WatchedSource watched;
    private JdbcStore store;

    @BeforeEach
    void open() {
        watched = new WatchedSource(folder.resolve("numbers.db"));
        store = JdbcStore.open(watched.source());
    }

    @Test
    void a_reservation_of_a_known_sequence_is_one_statement() {
        store.create(SequenceDefinition.of("orders"));
        store.reserve("orders", 5);
        watched.statements.clear();
        assertThat(store.reserve("orders", 5).block()).isEqualTo(new Block(6, 5, 1));
        assertThat(watched.statements)
                .singleElement()
                .asString()
                .startsWith("UPDATE")
                .contains("RETURNING");
    }

    @Test
    void a_reservation_in_the_callers_transaction_is_one_statement_too() throws SQLException {
        store.create(SequenceDefinition.of("orders"));
        store.reserve("orders", 5);
        watched.statements.clear();
        try (Connection connection = watched.source().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(store.reserve(connection, "orders", 1).block().first()).isEqualTo(6);
            assertThat(watched.statements).hasSize(1);
            connection.rollback();
        }
        assertThat(store.reserve("orders", 1).block().first()).isEqualTo(6);
    }

    @Test
    void near_the_limit_the_row_is_read() {
        store.create(SequenceDefinition.named("orders").maxValue(10L).build());
        store.reserve("orders", 5);
        watched.statements.clear();
        assertThat(store.reserve("orders", 4).block()).isEqualTo(new Block(6, 4, 1));
        assertThat(watched.statements).hasSize(1);
        assertThat(store.reserve("orders", 4).block()).isEqualTo(new Block(10, 1, 1));
        assertThat(watched.statements.size()).isGreaterThan(2);
    }

    @Test
    void a_commit_without_an_answer_is_unknown_and_not_repeated() {
        store.create(SequenceDefinition.of("orders"));
        watched.statements.clear();
        watched.answerToCommit = new SQLException("connection reset", "08006");
        assertThatThrownBy(() -> store.reserve("orders", 5)).isInstanceOf(CommitOutcomeUnknown.class);
        watched.answerToCommit = null;
        assertThat(store.reserve("orders", 1).block().first()).isEqualTo(6);
    }

    @Test
    void a_conflict_at_the_commit_of_the_callers_work_is_the_callers_to_retry() {
        store.create(SequenceDefinition.of("orders"));
        watched.statements.clear();
        watched.answerToCommit = new SQLException("database is locked", null, 5);
        assertThatThrownBy(() -> store.inTransaction(transaction -> store.reserve(transaction, "orders", 1)))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("numbers.db")
                .hasMessageContaining("retry the whole transaction");
    }

    @Test
    void an_unknown_database_is_refused_by_name() {
        watched.product = "Nonesuch DB";
        assertThatThrownBy(() -> JdbcStore.open(watched.source()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("Nonesuch DB")
                .hasMessageContaining("SQLite");
    }

    @Test
    void conflicts_are_retried_until_patience_ends() throws SQLException {
        store.create(SequenceDefinition.of("orders"));
        SqliteDialect dialect = new SqliteDialect();
        SQLiteConfig impatient = new SQLiteConfig();
        impatient.setBusyTimeout(1);
        JdbcStore quick = UncheckedStores.over(
                new BorrowedConnections(
                        new Lender(
                                new WatchedSource(folder.resolve("numbers.db"), impatient).source(),
                                Dialects::inTransaction),
                        dialect,
                        () -> {}),
                dialect,
                SequenceTable.own(),
                "numbers.db",
                Duration.ofMillis(200));
        try (Connection holder = watched.source().getConnection();
                Statement statement = holder.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> quick.reserve("orders", 1))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("numbers.db")
                    .hasMessageContaining("200 ms")
                    .hasCauseInstanceOf(SQLException.class);
            statement.execute("ROLLBACK");
        }
        assertThat(quick.reserve("orders", 1).block().first()).isEqualTo(1);
    }

    @Test
    void a_conflict_in_the_callers_transaction_is_the_callers_to_retry() throws SQLException {
        store.create(SequenceDefinition.of("orders"));
        SQLiteConfig impatient = new SQLiteConfig();
        impatient.setBusyTimeout(1);
        WatchedSource second = new WatchedSource(folder.resolve("numbers.db"), impatient);
        try (Connection holder = watched.source().getConnection();
                Connection late = second.source().getConnection()) {
            holder.setAutoCommit(false);
            late.setAutoCommit(false);
            store.reserve(holder, "orders", 1);
            assertThatThrownBy(() -> store.reserve(late, "orders", 1))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("whole transaction");
            holder.rollback();
        }
    }
}
