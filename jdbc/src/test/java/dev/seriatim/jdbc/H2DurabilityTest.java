// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.H2Files;
import dev.seriatim.servers.Server;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

/**
 * H2 reverts to a write delay of half a second whenever a database is opened, so the delay must be set each time. In
 * H2 files, a rollback can undo what others have committed.
 */
class H2DurabilityTest {

    private final Database database = H2Files.freshDatabase();

    @Test
    void a_database_that_was_closed_meanwhile_is_told_again() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("orders"));
            // No session is connected now, so the database is closed.
            try (Connection connection = database.connect()) {
                assertThat(delay(connection)).isEqualTo("500");
                store.reserve("orders", 1);
                assertThat(delay(connection)).isEqualTo("0");
            }
        }
    }

    @Test
    void a_user_who_may_not_set_it_is_refused_unless_an_administrator_has() throws SQLException {
        database.execute("CREATE USER clerk PASSWORD 'pen'");
        Database clerks = database.as("clerk", "pen");
        try (Connection open = database.connect()) {
            assertThat(delay(open)).isEqualTo("500");
            assertThatThrownBy(() -> JdbcStore.open(clerks.dataSource()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("WRITE_DELAY is 500")
                    .hasMessageContaining("administrator");
            JdbcStore.open(database.dataSource()).close();
            JdbcStore.open(clerks.dataSource()).close();
        }
    }

    @Test
    void numbers_are_not_dealt_inside_callers_transactions_on_a_file() throws SQLException {
        refusesCallersTransactions(database);
    }

    @Test
    void nor_on_a_file_of_a_server() throws Exception {
        try (Server server = Server.h2()) {
            refusesCallersTransactions(server.freshDatabase());
        }
    }

    @Test
    void nor_to_a_user_without_rights_on_anything_else() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection open = database.connect()) {
            store.create(SequenceDefinition.of("orders"));
            store.reserve("orders", 1);
            database.execute(
                    "CREATE USER clerk PASSWORD 'pen'", "GRANT SELECT, UPDATE ON \"seriatim_sequence\" TO clerk");
            assertThat(delay(open)).isEqualTo("0");
            try (JdbcStore clerks = JdbcStore.open(database.as("clerk", "pen").dataSource())) {
                assertThat(clerks.reserve("orders", 1).block().first()).isEqualTo(2);
                assertThat(clerks.whyNotGapless()).isPresent();
            }
        }
    }

    private static void refusesCallersTransactions(Database file) throws SQLException {
        for (JdbcStore opened : List.of(JdbcStore.open(file.dataSource()), (JdbcStore) StoreDriver.open(file.url()))) {
            try (JdbcStore store = opened;
                    StoreSequences sequences = StoreSequences.of(store);
                    Connection connection = file.connect()) {
                String name = "s" + System.identityHashCode(store);
                store.create(SequenceDefinition.of(name));
                connection.setAutoCommit(false);
                TransactionalSequence<Connection> inside = TransactionalSequence.of(store, name);
                refused(name, () -> inside.next(connection));
                refused(name, () -> inside.next(connection, 2));
                refused(name, () -> inside.within(connection).next());
                refused(name, () -> sequences.grouped(name, store).commit(Turn::next));
                sequences.grouped(name, store).close();
                connection.rollback();
                for (Allocation mode : List.of(Allocation.async(), Allocation.combined(), Allocation.batch(2))) {
                    try (Sequence sequence = sequences.open(name, mode)) {
                        assertThat(sequence.next()).isPositive();
                    }
                }
            }
        }
    }

    private static void refused(String name, ThrowableAssert.ThrowingCallable draw) {
        assertThatThrownBy(draw)
                .isInstanceOf(Misconfigured.class)
                .hasMessageStartingWith("sequence '" + name + "': jdbc:h2:")
                .hasMessageContaining("a rollback can undo what other transactions have committed")
                .hasMessageContaining("SYNC and GROUPED")
                .hasMessageContaining("use a mode that draws in its own transactions")
                .hasMessageContaining("seriatim.durability=warn")
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_refusal_of_ours_ends_by_a_commit_since_to_roll_its_lock_back_could_take_back_what_others_have_committed() {
        LossyCommits commits = new LossyCommits();
        try (JdbcStore store = JdbcStore.open(commits.over(database.dataSource()))) {
            store.create(SequenceDefinition.named("one").maxValue(1L).build());
            store.reserve("one", 1);
            SequenceState before = store.describe("one");
            List<ThrowableAssert.ThrowingCallable> refused = List.of(
                    () -> store.create(SequenceDefinition.of("one")),
                    () -> store.reserve("one", 1),
                    () -> store.raise("one", 7),
                    () -> store.restart("one", 7),
                    () -> store.alter("one", definition -> {
                        throw new IllegalStateException("no");
                    }));
            for (ThrowableAssert.ThrowingCallable change : refused) {
                AtomicBoolean committed = new AtomicBoolean();
                commits.beforeNext(() -> committed.set(true));
                assertThatThrownBy(change).isInstanceOf(RuntimeException.class);
                assertThat(committed).isTrue();
            }
            assertThat(store.describe("one")).isEqualTo(before);
        }
    }

    @Test
    void whoever_accepts_repeated_numbers_draws_inside_transactions_all_the_same() throws SQLException {
        try (JdbcStore store = JdbcStore.open(
                        database.dataSource(), SequenceTable.own(), DurabilityCheck.WARN, Transactions.PATIENCE);
                JdbcStore same = (JdbcStore) StoreDriver.open(
                        database.option("seriatim.durability", "warn").url());
                StoreSequences sequences = StoreSequences.of(same)) {
            store.create(SequenceDefinition.of("orders"));
            TransactionalSequence<Connection> inside = TransactionalSequence.of(store, "orders");
            long first = store.inTransaction(inside::next);
            assertThat(first).isEqualTo(1);
            long second = sequences.grouped("orders", same).commit(Turn::next);
            assertThat(second).isEqualTo(2);
        }
    }

    @Test
    void in_memory_nothing_is_refused() throws SQLException {
        try (JdbcStore store = JdbcStore.open(Engine.H2.freshDatabase().dataSource())) {
            store.create(SequenceDefinition.of("orders"));
            assertThat(store.whyNotGapless()).isEmpty();
            TransactionalSequence<Connection> inside = TransactionalSequence.of(store, "orders");
            long first = store.inTransaction(inside::next);
            assertThat(first).isEqualTo(1);
        }
    }

    @Test
    void a_version_that_loses_commits_is_known() {
        assertThat(H2Dialect.loses("2.5.252 (2026-09-23)")).isTrue();
        assertThat(H2Dialect.loses("2.4.240 (2025-09-22)")).isFalse();
    }

    private static String delay(Connection connection) throws SQLException {
        String last = "";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'")) {
            while (row.next()) {
                last = row.getString(1);
            }
        }
        return last;
    }
}
