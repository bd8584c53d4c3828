// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.OneGroup;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shared transactions that end unexpectedly in ways that {@link EndingsContract} does not cover: by a statement of
 * one engine, by a refused commit, or on another counter.
 */
@Timeout(60)
class GroupEndedTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");

    private AutoCloseable opened = () -> {};
    private AutoCloseable store = () -> {};

    @AfterEach
    void close() throws Exception {
        opened.close();
        store.close();
    }

    @Test
    void the_last_number_that_a_unit_commits_by_itself_is_dealt_no_more_although_others_have_drawn_before_that()
            throws Exception {
        Database database = Engine.H2.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        JdbcStore numbers = JdbcStore.open(database.dataSource());
        numbers.alter("s", definition -> definition.toBuilder().maxValue(3L).build());
        assertThatThrownBy(() -> sequence.<Long, Exception>commit(turn -> {
                    keepOne(turn);
                    keepOne(turn);
                    keepOne(turn);
                    execute(turn.transaction(), "COMMIT");
                    return numbers.reserve("s", 1).block().first();
                }))
                .isInstanceOf(CommitOutcomeUnknown.class);
        assertKept(database, 3);
        assertThatThrownBy(() -> numbers.reserve("s", 1)).isInstanceOf(Exhausted.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT OR ROLLBACK INTO taken (n) VALUES (1)",
                "INSERT INTO taken (rolls) VALUES (1)",
                "INSERT INTO refusing VALUES (1)"
            })
    void a_statement_of_sqlites_that_rolls_back_all_costs_its_own_unit_alone(String statement) throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        database.execute(
                "CREATE TABLE taken (n INTEGER UNIQUE, rolls INTEGER UNIQUE ON CONFLICT ROLLBACK)",
                "INSERT INTO taken VALUES (1, 1)",
                "CREATE TABLE refusing (n INTEGER)",
                "CREATE TRIGGER refuses BEFORE INSERT ON refusing BEGIN SELECT RAISE(ROLLBACK, 'refused'); END");
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(this::keepOne)
                .add(turn -> {
                    try {
                        execute(turn.transaction(), statement);
                    } catch (SQLException swallowed) {
                        // as application code that expects the failure does
                    }
                    return keepOne(turn);
                })
                .add(this::keepOne)
                .add(this::keepOne)
                .go();
        assertThat(group.failure(1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("rolled back the whole transaction")
                .hasMessageContaining(
                        "a unit of work swallowed its exception; nothing was committed, let it propagate");
        assertThat(List.of(group.result(0), group.result(2), group.result(3))).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertKept(database, 3);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void what_a_unit_reads_leads_to_no_connection_that_can_commit(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        long number = grouped(database).commit(turn -> {
            Connection connection = turn.transaction();
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT 1");
                    ResultSet tables = connection.getMetaData().getTables(null, null, "none", null)) {
                for (ResultSet result : List.of(row, tables)) {
                    Statement made = result.getStatement();
                    if (made != null) {
                        assertThat(made.getConnection()).isSameAs(connection);
                        assertThatThrownBy(() -> made.getConnection().commit())
                                .hasMessageContaining("must not call commit");
                    }
                }
            }
            return keepOne(turn);
        });
        assertThat(number).isEqualTo(1);
        assertKept(database, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobody_runs_twice_when_a_unit_commits_and_then_spoils_what_follows(boolean throwing) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        AtomicInteger runs = new AtomicInteger();
        OneGroup<Connection> group = new OneGroup<>(grouped(database))
                .add(turn -> {
                    runs.incrementAndGet();
                    return keepOne(turn);
                })
                .add(turn -> {
                    execute(turn.transaction(), "COMMIT");
                    try {
                        execute(turn.transaction(), "SELECT nothing FROM nowhere");
                    } catch (SQLException e) {
                        if (throwing) {
                            throw e;
                        }
                    }
                    return 0L;
                })
                .go();
        assertThat(group.failure(0)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(group.failure(1)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.number < 0 THEN RAISE"
                        + " EXCEPTION 'credit limit exceeded'; END IF; RETURN NULL; END $$; CREATE CONSTRAINT TRIGGER t"
                        + " AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION f()",
                "CREATE TABLE other (x INT UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO other VALUES (1); CREATE"
                        + " FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.number < 0 THEN INSERT INTO"
                        + " other VALUES (1); END IF; RETURN NULL; END $$; CREATE TRIGGER t AFTER INSERT ON kept FOR EACH"
                        + " ROW EXECUTE FUNCTION f()"
            })
    void who_breaks_a_rule_that_the_commit_checks_hears_it_alone(String rule) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        database.execute(rule);
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(this::keepOne)
                .add(turn -> {
                    turn.next();
                    KEPT.keep(turn.transaction(), -1);
                    return 0L;
                })
                .add(this::keepOne)
                .go();
        assertThat(group.failure(1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("nothing was committed; correct its work")
                .hasMessageNotContaining("already exists in table seriatim");
        assertThat(List.of(group.result(0), group.result(2))).containsExactly(1L, 2L);
        assertKept(database, 2);
        // The same in a transaction that the store opens for others.
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource()).inTransaction(connection -> {
                    KEPT.keep(connection, -1);
                    return 0;
                }))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("nothing was committed");
    }

    @Test
    void who_breaks_a_foreign_key_that_sqlite_checks_at_the_commit_hears_it_alone() throws Exception {
        Database database = Engine.SQLITE.freshDatabase().option("foreign_keys", "on");
        GroupedSequence<Connection> sequence = grouped(database);
        database.execute("CREATE TABLE child (number BIGINT REFERENCES kept (number) DEFERRABLE INITIALLY DEFERRED)");
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(this::keepOne)
                .add(turn -> {
                    execute(turn.transaction(), "INSERT INTO child VALUES (-1)");
                    return keepOne(turn);
                })
                .add(this::keepOne)
                .go();
        assertThat(group.failure(1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("the database refuses the transaction");
        assertThat(List.of(group.result(0), group.result(2))).containsExactly(1L, 2L);
        assertKept(database, 2);
    }

    @Test
    void what_statements_lead_back_to_is_guarded_too() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        Statement[] late = new Statement[1];
        sequence.commit(turn -> {
            Connection connection = turn.transaction();
            late[0] = connection.createStatement();
            assertThat(late[0].getConnection()).isSameAs(connection);
            assertThatThrownBy(() -> connection.getMetaData().getConnection().commit())
                    .hasMessageContaining("shares its transaction");
            return keepOne(turn);
        });
        assertThatThrownBy(() -> late[0].execute("SELECT 1")).hasMessageContaining("has ended");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void stops_when_a_restored_backup_has_taken_the_counter_back(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        GroupedSequence<Connection> sequence = grouped(database);
        for (long expected = 1; expected <= 3; expected++) {
            assertThat(sequence.commit(this::keepOne)).isEqualTo(expected);
        }
        database.execute(
                "DELETE FROM kept",
                "UPDATE " + (engine == Engine.H2 ? "\"seriatim_sequence\"" : "seriatim_sequence") + " SET "
                        + (engine == Engine.H2 ? "\"next_value\"" : "next_value") + " = 2");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> sequence.commit(this::keepOne))
                    .isInstanceOf(Regressed.class)
                    .hasMessageContaining("'s'")
                    .hasMessageContaining("dealt 2 after 3");
        }
        assertKept(database, 0);
        JdbcStore numbers = JdbcStore.open(database.dataSource());
        numbers.raise("s", 10);
        sequence.close();
        try (StoreSequences anew = StoreSequences.of(numbers)) {
            assertThat(anew.grouped("s", numbers).<Long, Exception>commit(this::keepOne))
                    .isEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void says_that_it_waited_for_a_lock(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        JdbcStore numbers = JdbcStore.open(database.dataSource());
        store = numbers;
        numbers.create(SequenceDefinition.of("s"));
        StoreSequences sequences = StoreSequences.builder(numbers)
                .patience(Duration.ofMillis(1600))
                .build();
        opened = sequences;
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            TransactionalSequence.of(numbers, "s").next(other);
            assertThatThrownBy(() -> sequences.grouped("s", numbers).<Long, RuntimeException>commit(Turn::next))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("lock");
            other.rollback();
        }
    }

    private GroupedSequence<Connection> grouped(Database database) throws SQLException {
        JdbcStore numbers = JdbcStore.open(database.dataSource());
        store = numbers;
        numbers.create(SequenceDefinition.of("s"));
        database.execute(KEPT.create());
        StoreSequences sequences = StoreSequences.of(numbers);
        opened = sequences;
        return sequences.grouped("s", numbers);
    }

    private long keepOne(Turn<Connection> turn) throws SQLException {
        long number = turn.next();
        KEPT.keep(turn.transaction(), number);
        return number;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void assertKept(Database database, int upTo) throws SQLException {
        try (Connection connection = database.connect()) {
            assertThat(KEPT.all(connection))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, upTo).boxed().toList());
        }
    }
}
