// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.OneGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What units of work can do to their shared transaction and to each other's work in it. */
class GroupFaultsTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");

    private final LossyCommits lossy = new LossyCommits();
    private AutoCloseable opened = () -> {};
    private AutoCloseable store = () -> {};

    @AfterEach
    void close() throws Exception {
        opened.close();
        store.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void undoes_a_failed_statement_with_its_unit_and_nothing_else(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        OneGroup<Connection> group = new OneGroup<>(grouped(database))
                .add(KEPT::keepNext)
                .add(turn -> {
                    KEPT.keepNext(turn);
                    KEPT.keep(turn.transaction(), 1);
                    return 0L;
                })
                .add(KEPT::keepNext)
                .go();
        assertThat(group.failure(1)).isInstanceOf(SQLException.class);
        assertThat(group.result(0)).isEqualTo(1);
        assertThat(group.result(2)).isEqualTo(2);
        KEPT.assertUpTo(database, 2);
    }

    @Test
    void lets_a_unit_undo_a_part_of_itself_by_a_savepoint_of_its_own() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        OneGroup<Connection> group = new OneGroup<>(grouped(database))
                .add(KEPT::keepNext)
                .add(turn -> {
                    var before = turn.transaction().setSavepoint();
                    assertThatThrownBy(() -> KEPT.keep(turn.transaction(), 1)).isInstanceOf(SQLException.class);
                    turn.transaction().rollback(before);
                    return KEPT.keepNext(turn);
                })
                .go();
        assertThat(List.of(group.result(0), group.result(1))).containsExactly(1L, 2L);
        KEPT.assertUpTo(database, 2);
    }

    @Test
    void tells_a_unit_that_keeps_a_failed_statement_to_itself_and_nobody_else() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        OneGroup<Connection> group = new OneGroup<>(grouped(database))
                .add(KEPT::keepNext)
                .add(turn -> {
                    long number = KEPT.keepNext(turn);
                    assertThatThrownBy(() -> KEPT.keep(turn.transaction(), number))
                            .isInstanceOf(SQLException.class);
                    return number;
                })
                .add(KEPT::keepNext)
                .add(KEPT::keepNext)
                .go();
        assertThat(group.failure(1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("'s'")
                .hasMessageContaining("an earlier statement failed and aborted the transaction");
        assertThat(List.of(group.result(0), group.result(2), group.result(3))).containsExactly(1L, 2L, 3L);
        KEPT.assertUpTo(database, 3);
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void tells_a_unit_that_breaks_a_rule_checked_at_the_commit_and_nobody_else(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        database.execute("CREATE TABLE child (number BIGINT REFERENCES kept (number) DEFERRABLE INITIALLY DEFERRED)");
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(KEPT::keepNext)
                .add(turn -> {
                    execute(turn.transaction(), "INSERT INTO child VALUES (-1)");
                    return KEPT.keepNext(turn);
                })
                .add(KEPT::keepNext)
                .go();
        assertThat(group.failure(1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("the database refuses the transaction");
        assertThat(List.of(group.result(0), group.result(2))).containsExactly(1L, 2L);
        KEPT.assertUpTo(database, 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void repeats_the_group_after_a_deadlock_in_a_unit_which_may_keep_that_to_itself(boolean swallowed)
            throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        try (Deadlock deadlock = new Deadlock(database)) {
            AtomicInteger runs = new AtomicInteger();
            OneGroup<Connection> group = new OneGroup<>(sequence)
                    .add(KEPT::keepNext)
                    .add(turn -> {
                        if (runs.incrementAndGet() == 1) {
                            Throwable thrown = catchThrowable(() -> deadlock.walkInto(turn.transaction()));
                            assertThat(thrown).hasMessageContaining("Deadlock");
                            if (!swallowed) {
                                throw (SQLException) thrown;
                            }
                        }
                        return KEPT.keepNext(turn);
                    })
                    .go();
            assertThat(List.of(group.result(0), group.result(1))).containsExactly(1L, 2L);
            assertThat(runs).hasValue(2);
        }
        KEPT.assertUpTo(database, 2);
    }

    @Test
    void names_the_deadlock_when_what_the_unit_did_besides_may_have_committed() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        database.execute("CREATE PROCEDURE nothing() BEGIN END");
        try (Deadlock deadlock = new Deadlock(database)) {
            OneGroup<Connection> group = new OneGroup<>(sequence)
                    .add(KEPT::keepNext)
                    .add(turn -> {
                        execute(turn.transaction(), "CALL nothing()");
                        assertThatThrownBy(() -> deadlock.walkInto(turn.transaction()))
                                .hasMessageContaining("Deadlock");
                        return KEPT.keepNext(turn);
                    })
                    .go();
            for (int caller = 0; caller < 2; caller++) {
                assertThat(group.failure(caller))
                        .isInstanceOf(CommitOutcomeUnknown.class)
                        .hasMessageContaining("a unit of work has ended the transaction")
                        .hasMessageContaining("Deadlock");
            }
        }
        KEPT.assertUpTo(database, 0);
        assertThat(sequence.commit(KEPT::keepNext)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void leaves_a_lock_that_could_not_be_had_to_the_unit_that_wanted_it(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        database.execute("INSERT INTO kept VALUES (-1)");
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            execute(other, "SELECT number FROM kept WHERE number = -1 FOR UPDATE");
            OneGroup<Connection> group = new OneGroup<>(sequence)
                    .add(KEPT::keepNext)
                    .add(turn -> {
                        KEPT.keepNext(turn);
                        execute(turn.transaction(), "SELECT number FROM kept WHERE number = -1 FOR UPDATE NOWAIT");
                        return 0L;
                    })
                    .add(KEPT::keepNext)
                    .go();
            assertThat(group.failure(1)).isInstanceOf(SQLException.class);
            assertThat(List.of(group.result(0), group.result(2))).containsExactly(1L, 2L);
            other.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void tells_every_caller_of_a_group_whose_commit_is_not_answered(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        lossy.loseOne();
        OneGroup<Connection> group =
                new OneGroup<>(sequence).add(KEPT::keepNext).add(KEPT::keepNext).go();
        assertThat(group.failure(0)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(group.failure(1)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(sequence.commit(KEPT::keepNext)).isEqualTo(3);
        KEPT.assertUpTo(database, 3);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void refuses_to_overwrite_what_a_unit_drew_beside_its_turn(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        TransactionalSequence<Connection> beside = TransactionalSequence.of(JdbcStore.open(database.dataSource()), "s");
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(KEPT::keepNext)
                .add(turn -> {
                    beside.next(turn.transaction());
                    return KEPT.keepNext(turn);
                })
                .go();
        assertThat(group.failure(1)).isInstanceOf(Misconfigured.class).hasMessageContaining("without its turn");
        assertThat(group.result(0)).isEqualTo(1);
        KEPT.assertUpTo(database, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "SQLITE"}) // where it is found in any case
    void refuses_a_lone_unit_that_sets_the_counter_in_whatever_case_it_names_the_table(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        assertThat(sequence.commit(KEPT::keepNext)).isEqualTo(1);
        assertThatThrownBy(() -> sequence.commit(turn -> {
                    long number = KEPT.keepNext(turn);
                    execute(turn.transaction(), "UPDATE SERIATIM_SEQUENCE SET NEXT_VALUE = 1 WHERE NAME = 's'");
                    return number;
                }))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("without its turn");
        assertThat(sequence.commit(KEPT::keepNext)).isEqualTo(2);
        KEPT.assertUpTo(database, 2);
    }

    private GroupedSequence<Connection> grouped(Database database) throws SQLException {
        JdbcStore numbers = JdbcStore.open(database.dataSource());
        store = numbers;
        numbers.create(SequenceDefinition.of("s"));
        database.execute(KEPT.create());
        StoreSequences sequences = StoreSequences.of(numbers);
        opened = sequences;
        return sequences.grouped("s", JdbcStore.open(lossy.over(database.dataSource())));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Another session with so much work that a deadlock is never resolved at its expense. */
    private static final class Deadlock implements AutoCloseable {
        private final Connection other;

        Deadlock(Database database) throws SQLException {
            database.execute(
                    "CREATE TABLE rooms (n INT PRIMARY KEY, guests INT)", "INSERT INTO rooms VALUES (1, 0), (2, 0)");
            other = database.connect();
            other.setAutoCommit(false);
            for (int i = 100; i < 300; i++) {
                execute(other, "INSERT INTO rooms VALUES (" + i + ", 1)");
            }
            execute(other, "UPDATE rooms SET guests = 1 WHERE n = 2");
        }

        /** Each waits for what the other holds. Then the other one releases everything. */
        void walkInto(Connection connection) throws Exception {
            execute(connection, "UPDATE rooms SET guests = 2 WHERE n = 1");
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                try {
                    execute(other, "UPDATE rooms SET guests = 1 WHERE n = 1");
                    other.rollback();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            TimeUnit.MILLISECONDS.sleep(200);
            try {
                execute(connection, "UPDATE rooms SET guests = 2 WHERE n = 2");
            } finally {
                waiting.get(20, TimeUnit.SECONDS);
            }
        }

        @Override
        public void close() throws SQLException {
            other.close();
        }
    }
}
