// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.store.StoreDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers laid out are removed when the counter is set back, however that happens. */
@ParameterizedClass
@EnumSource
class PoolKeptInStepTest {

    private static final int CALLERS = 12;

    private final SqlSpeaker speaker;
    private Database database;

    PoolKeptInStepTest(SqlSpeaker speaker) {
        this.speaker = speaker;
    }

    @BeforeEach
    void create() throws SQLException {
        database = speaker.freshDatabase();
        try (JdbcStore store = open()) {
            store.install();
            store.create(SequenceDefinition.of("s"));
            draw(store, 10);
        }
    }

    @Test
    void a_sequence_dropped_and_created_in_SQL_begins_with_an_empty_pool() throws SQLException {
        try (SqlSession sql = SqlSession.on(database)) {
            sql.run("SELECT drop_sequence('s')");
            sql.run("SELECT create_sequence('s', 100, 1)");
        }
        try (JdbcStore store = open()) {
            assertThat(store.poolState("s")).isEmpty();
            assertThat(draw(store, 3)).containsExactly(100L, 101L, 102L);
        }
    }

    @Test
    void a_sequence_set_in_SQL_begins_with_an_empty_pool() throws SQLException {
        try (SqlSession sql = SqlSession.on(database)) {
            sql.setVal("s", 4);
        }
        try (JdbcStore store = open()) {
            assertThat(draw(store, 300))
                    .containsExactlyElementsOf(LongStream.range(5, 305).boxed().toList());
        }
    }

    @Test
    void a_row_removed_by_hand_leaves_nothing_to_the_next_sequence_of_its_name() throws SQLException {
        database.execute("DELETE FROM seriatim_sequence");
        try (JdbcStore store = open()) {
            store.create(SequenceDefinition.named("s").startWith(7L).build());
            assertThat(draw(store, 2)).containsExactly(7L, 8L);
        }
    }

    @Test
    void who_draws_while_others_set_the_counter_back_goes_on_with_what_is_new() throws SQLException {
        try (JdbcStore store = open();
                JdbcStore other = open();
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> running = sequences.pooled("s", store);
            assertThat(next(store, running)).isEqualTo(11);
            other.restart("s", 1000);
            assertThat(next(store, running)).isEqualTo(1000);
            other.drop("s");
            other.create(SequenceDefinition.named("s").startWith(5L).build());
            assertThat(draw(other, 2)).containsExactly(5L, 6L);
            assertThat(next(store, running)).isEqualTo(7);
        }
    }

    @Test
    void a_restart_waits_for_those_who_hold_numbers_but_not_for_ever() throws SQLException {
        String url = database.option("seriatim.patience", "1s").url();
        try (JdbcStore impatient = (JdbcStore) StoreDriver.open(url);
                JdbcStore store = open();
                StoreSequences sequences = StoreSequences.of(store);
                Connection holder = database.connect()) {
            PooledSequence<Connection> pooled = sequences.pooled("s", store);
            holder.setAutoCommit(false);
            long held = pooled.next(holder);
            if (speaker == SqlSpeaker.POSTGRESQL) {
                assertThatThrownBy(() -> impatient.restart("s", 1))
                        .isInstanceOf(SequenceException.Overloaded.class)
                        .hasMessageContaining("'s'");
                assertThat(store.describe("s").nextValue()).isGreaterThan(held);
            }
            holder.commit();
            impatient.restart("s", 1);
            assertThat(next(store, pooled)).isEqualTo(1);
        }
    }

    /** How other sessions can set the counter so that the numbers laid out must not be dealt. */
    enum Setting {
        RESTART {
            @Override
            void apply(JdbcStore store, Database database) {
                store.restart("s", 5000);
            }
        },
        RAISE {
            @Override
            void apply(JdbcStore store, Database database) {
                store.raise("s", 5000);
            }
        },
        SET_VAL {
            @Override
            void apply(JdbcStore store, Database database) throws SQLException {
                try (SqlSession sql = SqlSession.on(database)) {
                    sql.setVal("s", 4999);
                }
            }
        };

        abstract void apply(JdbcStore store, Database database) throws SQLException;
    }

    /** A claim that finds nothing must not block its own process's refill while it waits for that refill. */
    @ParameterizedTest
    @EnumSource
    void who_draws_after_others_have_set_the_counter_is_in_nobodys_way(Setting setting) throws SQLException {
        try (JdbcStore store = open();
                JdbcStore other = open();
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> running = sequences.pooled("s", store);
            long next = next(store, running);
            assertThat(next).isEqualTo(11);
            setting.apply(other, database);
            forgetDeletedRows();
            while (next < 5000) { // SQL does not empty the pool: this instance deals the numbers it knows first
                next = next(store, running);
            }
            assertThat(next).isEqualTo(5000);
            assertThat(store.<List<Long>, RuntimeException>inTransaction(
                            t -> running.next(t, 500).toList()))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(5001, 5500).boxed().toList());
            assertThat(draw(other, 2)).containsExactly(5501L, 5502L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"alter", "raise"})
    void what_was_laid_out_before_the_counter_was_set_in_SQL_does_not_come_back(String change) throws SQLException {
        try (SqlSession sql = SqlSession.on(database);
                JdbcStore store = open()) {
            sql.setVal("s", 4);
            if (change.equals("alter")) {
                store.alter("s", s -> s.toBuilder().cache(7).build());
            } else {
                store.raise("s", 5);
            }
            assertThat(draw(store, 300))
                    .containsExactlyElementsOf(LongStream.range(5, 305).boxed().toList());
        }
    }

    @Test
    void who_has_searched_in_vain_before_the_pool_is_emptied_draws_from_the_counter() throws SQLException {
        try (JdbcStore store = open();
                JdbcStore other = open();
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> running = sequences.pooled("s", store);
            assertThat(next(store, running)).isEqualTo(11);
            draw(other, 63); // all that the first one knows
            try (SqlSession sql = SqlSession.on(database)) {
                sql.setVal("s", 4999);
            }
            assertThat(next(store, running)).isEqualTo(5000);
            assertThat(next(store, running)).isEqualTo(5001);
        }
    }

    @Test
    void many_who_draw_at_once_after_a_restart_are_in_nobodys_way() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try (JdbcStore store = open();
                JdbcStore other = open();
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> running = sequences.pooled("s", store);
            assertThat(next(store, running)).isEqualTo(11);
            other.restart("s", 5000);
            assertThat(other.poolState("s").orElseThrow().count()).isZero();
            other.alter("s", s -> s.toBuilder().startWith(5000L).minValue(5000L).build());
            forgetDeletedRows();
            List<Callable<Long>> draws = Collections.nCopies(CALLERS, () -> next(store, running));
            List<Long> drawn = new ArrayList<>();
            for (Future<Long> draw : threads.invokeAll(draws)) {
                drawn.add(draw.get());
            }
            assertThat(drawn)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(5000, 5000 + CALLERS).boxed().toList());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_table_that_is_missing_is_made_when_it_is_first_needed() throws SQLException {
        database.execute("DROP TABLE seriatim_sequence_pool");
        try (JdbcStore store = open()) {
            assertThat(store.poolState("s")).isEmpty();
            store.restart("s", 1);
            assertThat(draw(store, 2)).containsExactly(1L, 2L);
        }
    }

    /** InnoDB keeps deleted rows for a while, and searches still pass them. */
    private void forgetDeletedRows() throws SQLException {
        if (speaker != SqlSpeaker.POSTGRESQL) {
            database.execute("ALTER TABLE seriatim_sequence_pool FORCE");
        }
    }

    private JdbcStore open() {
        return JdbcStore.open(database.dataSource());
    }

    private static long next(JdbcStore store, PooledSequence<Connection> sequence) {
        return store.<Long, RuntimeException>inTransaction(sequence::next);
    }

    private static List<Long> draw(JdbcStore store, int count) {
        try (StoreSequences sequences =
                StoreSequences.builder(store).patience(Duration.ofSeconds(20)).build()) {
            PooledSequence<Connection> pooled = sequences.pooled("s", store);
            return store.inTransaction(
                    transaction -> pooled.next(transaction, count).toList());
        }
    }
}
