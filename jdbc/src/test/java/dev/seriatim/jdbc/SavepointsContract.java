// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.TestedEngine.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.OneGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Savepoints in callers' transactions: the numbers are rolled back with the rows, in every mode that draws there. */
@Timeout(120)
abstract class SavepointsContract {

    private TestedEngine tested;
    private KeptNumbers kept;
    private JdbcStore store;
    private StoreSequences sequences;

    /** Returns the engine, with a table name for this test. */
    abstract TestedEngine tested();

    @BeforeEach
    void open() throws SQLException {
        tested = tested();
        kept = tested.kept("kept");
        tested.database().execute(kept.create());
        store = tested.open(tested.database().dataSource());
        store.create(SequenceDefinition.of("s"));
        sequences = StoreSequences.of(store);
    }

    @AfterEach
    void close() {
        sequences.close();
        store.close();
    }

    private enum Mode {
        SYNC,
        GROUPED,
        POOLED
    }

    @FunctionalInterface
    private interface Draw {
        /** Draws a number and stores it. */
        void one() throws SQLException;
    }

    /** What a transaction does with its savepoints; some engines refuse parts of it. */
    private enum Scene {
        ROLLED_BACK_TO_AFTER_DRAWING {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                Savepoint here = transaction.setSavepoint();
                draw.one();
                draw.one();
                transaction.rollback(here);
                draw.one();
                transaction.rollback(here); // it exists until a rollback goes beyond it
                draw.one();
            }
        },
        NESTED {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                Savepoint outer = transaction.setSavepoint();
                draw.one();
                Savepoint middle = transaction.setSavepoint("middle");
                draw.one();
                Savepoint inner = transaction.setSavepoint();
                draw.one();
                transaction.rollback(inner);
                draw.one();
                transaction.rollback(middle);
                draw.one();
                transaction.rollback(outer);
                draw.one();
                draw.one();
            }
        },
        RELEASED {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                Savepoint outer = transaction.setSavepoint();
                draw.one();
                Savepoint inner = transaction.setSavepoint();
                draw.one();
                transaction.releaseSavepoint(inner);
                draw.one();
                transaction.rollback(outer);
                draw.one();
                transaction.releaseSavepoint(outer);
                draw.one();
            }
        },
        RELEASED_WITH_ONE_INSIDE {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                Savepoint outer = transaction.setSavepoint();
                draw.one();
                Savepoint inner = transaction.setSavepoint();
                draw.one();
                transaction.releaseSavepoint(outer);
                transaction.rollback(inner); // which no longer exists on most engines
                draw.one();
            }
        },
        RELEASED_WHERE_ONE_OF_ITS_NAME_LIES_BELOW {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                transaction.setSavepoint("here");
                draw.one();
                Savepoint newer = transaction.setSavepoint("here");
                draw.one();
                transaction.releaseSavepoint(newer);
                transaction.rollback(newer);
                draw.one();
            }
        },
        RELEASED_WITH_ONE_INSIDE_WHOSE_NAME_LIES_BELOW {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                transaction.setSavepoint("here");
                draw.one();
                Savepoint outer = transaction.setSavepoint();
                draw.one();
                Savepoint inner = transaction.setSavepoint("here");
                draw.one();
                transaction.releaseSavepoint(outer);
                transaction.rollback(inner);
                draw.one();
            }
        },
        GONE_BACK_TO_AFTER_ITS_RELEASE {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                Savepoint here = transaction.setSavepoint("here");
                draw.one();
                transaction.releaseSavepoint(here);
                transaction.rollback(here);
                draw.one();
            }
        },
        OF_THE_SAME_NAME_TWICE {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                transaction.setSavepoint("here");
                draw.one();
                Savepoint newer = transaction.setSavepoint("here");
                draw.one();
                transaction.rollback(newer);
                draw.one();
            }
        },
        BACK_TO_THE_OLDER_OF_THE_SAME_NAME {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                Savepoint older = transaction.setSavepoint("here");
                draw.one();
                transaction.setSavepoint("here");
                draw.one();
                transaction.rollback(older);
                draw.one();
            }
        },
        BACK_TO_THE_OLDER_WHEN_THE_NEWER_IS_RELEASED {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                Savepoint older = transaction.setSavepoint("here");
                draw.one();
                Savepoint newer = transaction.setSavepoint("here");
                draw.one();
                transaction.releaseSavepoint(newer);
                transaction.rollback(older);
                draw.one();
            }
        },
        REPLACED_BY_A_TEXT {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                Savepoint older = transaction.setSavepoint("here");
                draw.one();
                execute(transaction, "SAVEPOINT " + named(transaction));
                draw.one();
                transaction.rollback(older);
                draw.one();
            }
        },
        REPLACED_BY_A_BATCH_THAT_WAS_MADE_BEFORE {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                try (Statement batch = transaction.createStatement()) {
                    batch.addBatch("SAVEPOINT " + named(transaction));
                    Savepoint older = transaction.setSavepoint("here");
                    draw.one();
                    batch.executeBatch();
                    draw.one();
                    transaction.rollback(older);
                }
                draw.one();
            }
        },
        RELEASED_BY_A_TEXT_WHERE_ONE_OF_ITS_NAME_LIES_BELOW {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                transaction.setSavepoint("here");
                draw.one();
                Savepoint newer = transaction.setSavepoint("here");
                draw.one();
                execute(transaction, "RELEASE SAVEPOINT " + named(transaction));
                transaction.rollback(newer);
                draw.one();
            }
        },
        BY_TEXTS {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                draw.one();
                execute(transaction, "SAVEPOINT here");
                draw.one();
                execute(transaction, "SAVEPOINT here");
                draw.one();
                execute(transaction, "ROLLBACK TO SAVEPOINT here");
                draw.one();
                execute(transaction, "RELEASE SAVEPOINT here");
                draw.one();
                execute(transaction, "ROLLBACK TO SAVEPOINT here");
                draw.one();
            }
        },
        LEFT_OPEN {
            @Override
            void play(Connection transaction, Draw draw) throws SQLException {
                transaction.setSavepoint();
                draw.one();
                transaction.setSavepoint("here");
                draw.one();
                execute(transaction, "SAVEPOINT there");
            }
        };

        abstract void play(Connection transaction, Draw draw) throws SQLException;

        /** Returns the SQL name of a savepoint that was set with a call. */
        String named(Connection transaction) throws SQLException {
            String quote = transaction.getMetaData().getIdentifierQuoteString();
            return quote + "here" + quote;
        }
    }

    @Test
    void numbers_of_transactions_go_back_with_their_rows() throws Exception {
        TransactionalSequence<Connection> numbers = TransactionalSequence.of(store, "s");
        inTransactions(Mode.SYNC, numbers::next);
    }

    @Test
    void numbers_of_pools_go_back_with_their_rows() throws Exception {
        assumeTrue(tested.pools(), "numbers cannot be laid out on this engine");
        PooledSequence<Connection> numbers = sequences.pooled("s", store);
        inTransactions(Mode.POOLED, numbers::next);
    }

    @Test
    void numbers_of_groups_go_back_with_their_rows() throws Exception {
        for (Scene scene : Scene.values()) {
            try (StoreSequences anew = StoreSequences.of(store)) { // which has not yet seen a unit throw
                GroupedSequence<Connection> sequence = anew.grouped("s", store);
                for (int round = 0;
                        round < 2;
                        round++) { // first without savepoints of the library's own, then with them
                    inGroup(sequence, scene);
                }
            }
        }
    }

    private void inGroup(GroupedSequence<Connection> sequence, Scene scene) throws Exception {
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(this::keepOne)
                .add(turn -> {
                    scene.play(turn.transaction(), () -> keepOne(turn));
                    return 0L;
                })
                .add(this::keepOne)
                .go();
        group.result(0);
        group.result(2);
        assertRefusedAtMost(scene, group.failure(1));
        assertGapless(scene, Mode.GROUPED);
        sequence.<Long, SQLException>commit(this::keepOne);
        assertGapless(scene, Mode.GROUPED);
    }

    private void inTransactions(Mode mode, ToLongFunction<Connection> numbers) throws SQLException {
        for (Scene scene : Scene.values()) {
            try (Connection transaction = tested.database().connect()) {
                transaction.setAutoCommit(false);
                Draw draw = () -> kept.keep(transaction, numbers.applyAsLong(transaction));
                draw.one();
                transaction.commit();
                Exception refused = null;
                try {
                    scene.play(transaction, draw);
                } catch (SQLException | SequenceException e) {
                    refused = e;
                }
                if (refused == null) {
                    transaction.commit();
                } else {
                    assertRefusedAtMost(scene, refused);
                    transaction.rollback();
                }
                assertGapless(scene, mode);
                draw.one();
                transaction.commit();
                assertGapless(scene, mode);
            }
        }
    }

    @Test
    void a_savepoint_of_its_own_takes_the_numbers_of_a_unit_back() throws Exception {
        OneGroup<Connection> group = new OneGroup<>(sequences.grouped("s", store));
        for (int i = 0; i < 3; i++) {
            group.add(turn -> {
                Connection connection = turn.transaction();
                Savepoint before = connection.setSavepoint();
                keepOne(turn);
                Savepoint between = connection.setSavepoint();
                keepOne(turn);
                connection.rollback(between);
                keepOne(turn);
                connection.rollback(before);
                return keepOne(turn);
            });
        }
        group.go();
        assertThat(List.of(group.result(0), group.result(1), group.result(2))).containsExactly(1L, 2L, 3L);
        assertKept(3);
    }

    @Test
    void a_statement_that_goes_back_is_refused_once_the_unit_has_drawn() throws Exception {
        GroupedSequence<Connection> sequence = sequences.grouped("s", store);
        long number = sequence.commit(turn -> {
            execute(turn.transaction(), "SAVEPOINT here");
            kept.keep(turn.transaction(), 77);
            execute(turn.transaction(), "ROLLBACK TO SAVEPOINT here");
            long drawn = keepOne(turn);
            assertThatThrownBy(() -> execute(turn.transaction(), " /* back */ rollback to savepoint here"))
                    .hasMessageContaining("Turn.mark");
            assertThatThrownBy(() -> turn.transaction().prepareStatement("ROLLBACK TO here"))
                    .hasMessageContaining("Turn.mark");
            for (String hidden : List.of(
                    "SELECT 1; ROLLBACK TO here",
                    "/*! ROLLBACK TO here */",
                    "ROLLBACK -- so far\n WORK/**/TO here",
                    "ROLLBACK\u00a0TO SAVEPOINT here",
                    "BEGIN NOT ATOMIC ROLLBACK TO here; END")) {
                assertThatThrownBy(() -> execute(turn.transaction(), hidden)).hasMessageContaining("Turn.mark");
            }
            return drawn;
        });
        assertThat(number).isEqualTo(1);
        assertKept(1);
    }

    @Test
    void a_statement_that_goes_back_is_refused_to_a_unit_that_drew_before_it_asked_for_its_transaction()
            throws Exception {
        long number = sequences.grouped("s", store).<Long, Exception>commit(turn -> {
            long drawn = turn.next();
            execute(turn.transaction(), "SAVEPOINT here");
            kept.keep(turn.transaction(), drawn);
            assertThatThrownBy(() -> execute(turn.transaction(), "ROLLBACK TO SAVEPOINT here"))
                    .hasMessageContaining("Turn.mark");
            return drawn;
        });
        assertThat(number).isEqualTo(1);
        assertKept(1);
    }

    @Test
    void a_statement_that_goes_back_to_what_another_unit_has_left_is_refused() throws Exception {
        OneGroup<Connection> group = new OneGroup<>(sequences.grouped("s", store))
                .add(turn -> {
                    execute(turn.transaction(), "SAVEPOINT here");
                    return keepOne(turn);
                })
                .add(turn -> {
                    assertThatThrownBy(() -> execute(turn.transaction(), "ROLLBACK TO SAVEPOINT here"))
                            .hasMessageContaining("does not belong to this unit");
                    return keepOne(turn);
                })
                .go();
        assertThat(List.of(group.result(0), group.result(1))).containsExactly(1L, 2L);
        assertKept(2);
    }

    @Test
    void a_savepoint_that_another_of_its_name_has_replaced_is_refused() throws Exception {
        GroupedSequence<Connection> sequence = sequences.grouped("s", store);
        List<Long> numbers = sequence.commit(turn -> {
            Connection connection = turn.transaction();
            Savepoint older = connection.setSavepoint("here");
            long first = keepOne(turn);
            Savepoint newer = connection.setSavepoint("here");
            keepOne(turn);
            assertThatThrownBy(() -> connection.rollback(older)).hasMessageContaining("no longer exists");
            connection.rollback(newer);
            return List.of(first, keepOne(turn));
        });
        assertThat(numbers).containsExactly(1L, 2L);
        assertKept(2);
    }

    @Test
    void what_a_way_back_has_passed_is_no_way_forward() throws Exception {
        GroupedSequence<Connection> sequence = sequences.grouped("s", store);
        List<Long> numbers = sequence.commit(turn -> {
            Connection connection = turn.transaction();
            Savepoint before = connection.setSavepoint();
            keepOne(turn);
            Turn.Mark passed = turn.mark();
            connection.rollback(before);
            assertThatThrownBy(passed::undo).isInstanceOf(IllegalStateException.class);
            long first = keepOne(turn);
            Turn.Mark mark = turn.mark();
            keepOne(turn);
            Savepoint lost = connection.setSavepoint();
            mark.undo();
            assertThatThrownBy(() -> connection.rollback(lost)).hasMessageContaining("no longer exists");
            return List.of(first, keepOne(turn));
        });
        assertThat(numbers).containsExactly(1L, 2L);
        assertKept(2);
    }

    @Test
    void a_savepoint_of_another_unit_is_refused() throws Exception {
        Savepoint[] others = new Savepoint[1];
        OneGroup<Connection> group = new OneGroup<>(sequences.grouped("s", store))
                .add(turn -> {
                    others[0] = turn.transaction().setSavepoint();
                    return keepOne(turn);
                })
                .add(turn -> {
                    assertThatThrownBy(() -> turn.transaction().rollback(others[0]))
                            .hasMessageContaining("does not belong to this unit");
                    return keepOne(turn);
                })
                .go();
        assertThat(List.of(group.result(0), group.result(1))).containsExactly(1L, 2L);
        assertKept(2);
    }

    @Test
    void savepoints_that_a_unit_leaves_open_do_not_concern_the_next() throws Exception {
        for (String release : List.of("RELEASE SAVEPOINT here", "RELEASE SAVEPOINT nowhere")) {
            long before = store.describe("s").nextValue();
            OneGroup<Connection> group = new OneGroup<>(sequences.grouped("s", store))
                    .add(turn -> {
                        turn.transaction().setSavepoint();
                        execute(turn.transaction(), "SAVEPOINT here");
                        return keepOne(turn);
                    })
                    .add(turn -> {
                        Savepoint here = turn.transaction().setSavepoint("here");
                        keepOne(turn);
                        turn.transaction().rollback(here);
                        return keepOne(turn);
                    })
                    .add(turn -> {
                        keepOne(turn);
                        execute(turn.transaction(), release); // what others have left, or a missing savepoint
                        throw new IllegalArgumentException("refused");
                    })
                    .add(this::keepOne)
                    .go();
            assertThat(List.of(group.result(0), group.result(1), group.result(3)))
                    .containsExactlyInAnyOrder(before, before + 1, before + 2);
            assertThat(group.failure(2)).isInstanceOfAny(IllegalArgumentException.class, SQLException.class);
            assertKept((int) before + 2);
        }
    }

    private void assertKept(int upTo) throws SQLException {
        try (Connection connection = tested.database().connect()) {
            assertThat(kept.all(connection))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, upTo).boxed().toList());
        }
    }

    /** Accepts a missing savepoint, but no error that says that a number was dealt twice. */
    private static void assertRefusedAtMost(Scene scene, @Nullable Throwable failure) {
        if (failure != null) {
            assertThat(failure).as("%s", scene).isInstanceOf(SQLException.class);
            String state = String.valueOf(((SQLException) failure).getSQLState());
            assertThat(state).as("%s: %s", scene, failure).doesNotStartWith("23");
            assertThat(failure.toString())
                    .as("%s", scene)
                    .containsIgnoringCase("savepoint")
                    .doesNotContain("SQLITE_CONSTRAINT");
        }
    }

    private void assertGapless(Scene scene, Mode mode) throws SQLException {
        List<Long> all = new ArrayList<>();
        long next;
        do { // a background refill may still arrive between the two readings
            next = store.describe("s").nextValue();
            all.clear();
            if (mode == Mode.POOLED) {
                store.poolState("s").orElseThrow().laidOut().forEach(run -> run.forEach(all::add));
            }
        } while (store.describe("s").nextValue() != next);
        try (Connection connection = tested.database().connect()) {
            all.addAll(kept.all(connection));
        }
        assertThat(all)
                .as("%s, %s", mode, scene)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(1, next).boxed().toList());
    }

    private long keepOne(Turn<Connection> turn) throws SQLException {
        long number = turn.next();
        kept.keep(turn.transaction(), number);
        return number;
    }
}
