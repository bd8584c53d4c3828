// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.TestedEngine.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Engine;
import dev.seriatim.testkit.OneGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Units of work that end their shared transaction in every possible way: each caller receives the true outcome. */
@Timeout(120)
abstract class EndingsContract {

    private TestedEngine tested;
    private KeptNumbers kept;
    private LentConnections lent;
    private JdbcStore store;
    private StoreSequences sequences;
    private GroupedSequence<Connection> sequence;

    /** Returns the engine, with a table name for this test. */
    abstract TestedEngine tested();

    @BeforeEach
    void open() throws SQLException {
        tested = tested();
        kept = tested.kept("kept");
        tested.database().execute(kept.create());
        lent = new LentConnections(tested.database().dataSource(), connection -> {});
        store = tested.open(lent.source());
        store.create(SequenceDefinition.of("s"));
        sequences = StoreSequences.of(store);
        sequence = sequences.grouped("s", store);
    }

    @AfterEach
    void close() throws SQLException {
        sequences.close();
        store.close();
        lent.close();
    }

    /** What a unit does after it has drawn and stored a number. */
    private enum Ending {
        CALLED_COMMIT {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.commit();
            }
        },
        CALLED_ROLLBACK {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.rollback();
            }
        },
        CALLED_AUTO_COMMIT {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.setAutoCommit(true);
            }
        },
        CALLED_ABORT {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.abort(Runnable::run);
            }
        },
        CALLED_CLOSE {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.close();
            }
        },
        SAID_COMMIT {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                execute(connection, "COMMIT");
            }
        },
        SAID_COMMIT_AS_A_LARGE_UPDATE {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                try (Statement statement = connection.createStatement()) {
                    statement.executeLargeUpdate("COMMIT");
                }
            }
        },
        SAID_ROLLBACK {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                execute(connection, "ROLLBACK");
            }
        },
        SAID_AUTO_COMMIT {
            @Override
            boolean ends(TestedEngine tested) {
                return tested.isMySql() || tested.engine() == Engine.H2;
            }

            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                execute(connection, tested.engine() == Engine.H2 ? "SET AUTOCOMMIT TRUE" : "SET autocommit = 1");
            }
        },
        SAID_BEGIN {
            @Override
            boolean ends(TestedEngine tested) {
                return tested.isMySql();
            }

            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                execute(connection, "BEGIN");
            }
        },
        CREATED_A_TABLE {
            @Override
            boolean ends(TestedEngine tested) {
                return tested.isMySql() || tested.engine() == Engine.H2;
            }

            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                execute(connection, "CREATE TABLE " + tested.table() + "_surprise_" + System.nanoTime() + " (n INT)");
            }
        },
        COMMITTED_BELOW {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.unwrap(Connection.class).commit();
            }
        },
        ROLLED_BACK_BELOW {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.unwrap(Connection.class).rollback();
            }
        },
        AUTO_COMMITTED_BELOW {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.unwrap(Connection.class).setAutoCommit(true);
            }
        },
        CLOSED_BELOW {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                connection.unwrap(Connection.class).close();
            }
        },
        COMMITTED_AND_CLOSED_BELOW {
            @Override
            void end(Connection connection, TestedEngine tested) throws SQLException {
                Connection below = connection.unwrap(Connection.class);
                below.commit();
                below.close();
            }
        };

        /** Performs it. */
        abstract void end(Connection connection, TestedEngine tested) throws SQLException;

        /** Returns whether the engine supports it. */
        boolean isKnown(TestedEngine tested) {
            return this != SAID_AUTO_COMMIT || ends(tested);
        }

        /** Returns whether it breaks the connection. */
        boolean isLost() {
            return name().contains("CLOSE");
        }

        /** Returns whether earlier work is committed if it ends the transaction. */
        boolean commits() {
            return !name().contains("ROLL") && this != CLOSED_BELOW;
        }

        /** Returns whether the counter shows that nothing was committed: where it is moved before any unit works. */
        boolean isFoundUndone(TestedEngine tested) {
            return this == CLOSED_BELOW
                    && Set.of(Engine.POSTGRESQL, Engine.MARIADB, Engine.GALERA, Engine.MYSQL)
                            .contains(tested.engine());
        }

        /** Returns whether it ends the transaction; it does not if the lent connection prevents that. */
        boolean ends(TestedEngine tested) {
            return !name().startsWith("CALLED");
        }
    }

    /** What the unit does next. */
    private enum Then {
        RETURNS,
        RETURNS_WHATEVER_WAS_THROWN,
        DRAWS_ON,
        THROWS,
        THROWS_AN_ERROR
    }

    @Test
    void what_callers_are_told_is_true_and_nobody_runs_twice() throws Exception {
        for (Ending ending : Ending.values()) {
            for (Then then : ending.isKnown(tested) ? Then.values() : new Then[0]) {
                play(ending, then);
            }
            assertThat(lent.out()).as("%s: connections that were kept", ending).isZero();
            assertThat(lent.changes()).as("%s", ending).isEmpty();
        }
    }

    /** Runs a unit before it, the unit that ends the transaction, and a unit after it; then one of another group. */
    private void play(Ending ending, Then then) throws Exception {
        String as = ending + ", then " + then;
        Set<Long> before = kept();
        long counterBefore = store.describe("s").nextValue();
        List<List<Long>> drawn = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        AtomicIntegerArray runs = new AtomicIntegerArray(3);
        Throwable refused = then == Then.THROWS_AN_ERROR
                ? new NoClassDefFoundError("refused")
                : new IllegalArgumentException("refused");
        AtomicReference<@Nullable SQLException> thrown = new AtomicReference<>();
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(turn -> {
                    runs.incrementAndGet(0);
                    drawn.get(0).clear();
                    return keepOne(turn, drawn.get(0));
                })
                .add(turn -> {
                    runs.incrementAndGet(1);
                    drawn.get(1).clear();
                    long number = keepOne(turn, drawn.get(1));
                    try {
                        ending.end(turn.transaction(), tested);
                    } catch (SQLException e) {
                        thrown.set(e);
                        if (then == Then.RETURNS) {
                            throw e;
                        }
                    }
                    return switch (then) {
                        case RETURNS, RETURNS_WHATEVER_WAS_THROWN -> number;
                        case DRAWS_ON -> keepOne(turn, drawn.get(1));
                        case THROWS -> throw (IllegalArgumentException) refused;
                        case THROWS_AN_ERROR -> throw (Error) refused;
                    };
                })
                .add(turn -> {
                    runs.incrementAndGet(2);
                    drawn.get(2).clear();
                    return keepOne(turn, drawn.get(2));
                })
                .go();
        List<Long> told = new ArrayList<>();
        Set<Long> mayBeKept = new TreeSet<>();
        for (int caller = 0; caller < 3; caller++) {
            Throwable failure = group.failure(caller);
            if (failure == null) {
                told.addAll(drawn.get(caller));
            } else if (failure instanceof CommitOutcomeUnknown) {
                mayBeKept.addAll(drawn.get(caller));
                assertThat(runs.get(caller))
                        .as("%s: runs of caller %s", as, caller)
                        .isEqualTo(1);
                if (caller == 1 && (then == Then.THROWS || then == Then.THROWS_AN_ERROR)) {
                    assertThat(failure).as(as).hasStackTraceContaining("refused");
                }
            } else if (!ending.isFoundUndone(tested)) {
                assertThat(caller).as("%s: who hears %s", as, failure).isEqualTo(1);
                assertThat(failure).as(as).isIn(refused, thrown.get());
            }
        }
        Set<Long> now = kept();
        now.removeAll(before);
        assertThat(now).as(as).containsAll(told);
        now.removeAll(told);
        assertThat(mayBeKept)
                .as("%s: numbers that are kept although it was told that they are not", as)
                .containsAll(now);
        boolean isUnknown = ending.ends(tested) && !ending.isFoundUndone(tested);
        if (isUnknown) {
            for (int caller = 0; caller < 2; caller++) {
                assertThat(group.failure(caller))
                        .as("%s, caller %s", as, caller)
                        .isInstanceOf(CommitOutcomeUnknown.class)
                        .hasStackTraceContaining(
                                ending.isLost() ? "a unit of work ha" : "a unit of work has ended the transaction");
            }
            assertThat(now.isEmpty()).as("%s: what was committed", as).isEqualTo(!ending.commits());
        } else {
            assertThat(mayBeKept).as(as).isEmpty();
            assertThat(told).as(as).contains(counterBefore);
            assertThat(group.failure(0)).as(as).isNull();
            assertThat(group.failure(2) == null || ending.isLost()).as(as).isTrue();
        }
        long next = sequence.<Long, SQLException>commit(turn -> keepOne(turn, new ArrayList<>()));
        if (ending.ends(tested) && !ending.isLost()) {
            assertThat(mayBeKept).as("%s: drawn before %s", as, next).allMatch(number -> number < next);
        }
        Set<Long> all = kept();
        assertThat(all).as(as).hasSize(before.size() + told.size() + now.size() + 1);
        assertThat(all.stream().mapToLong(Long::longValue).max()).as(as).hasValue(next);
        assertThat(store.describe("s").nextValue()).as(as).isEqualTo(next + 1);
        if (!isUnknown) {
            all.removeAll(before);
            assertThat(all)
                    .as(as)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(counterBefore, next).boxed().toList());
        }
    }

    @Test
    void the_lent_connection_refuses_to_end_the_transaction_and_to_outlive_it() throws Exception {
        AtomicReference<@Nullable Connection> late = new AtomicReference<>();
        long number = sequence.commit(turn -> {
            Connection connection = turn.transaction();
            late.set(connection);
            assertThatThrownBy(connection::commit).hasMessageContaining("shares its transaction");
            assertThatThrownBy(connection::rollback).hasMessageContaining("shares its transaction");
            assertThatThrownBy(() -> connection.setAutoCommit(true)).hasMessageContaining("shares its transaction");
            assertThatThrownBy(() -> connection.abort(Runnable::run)).hasMessageContaining("shares its transaction");
            assertThatThrownBy(() -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE))
                    .hasMessageContaining("shares its transaction");
            assertThat(connection.getAutoCommit()).isFalse();
            connection.close();
            assertThat(connection.isClosed()).isFalse();
            assertThat(Set.of(connection)).contains(turn.transaction());
            return keepOne(turn, new ArrayList<>());
        });
        assertThat(number).isEqualTo(1);
        Connection over = late.get();
        assertThat(over).isNotNull();
        assertThatThrownBy(over::createStatement).hasMessageContaining("has ended");
        assertThat(over.isClosed()).isTrue();
    }

    private Set<Long> kept() throws SQLException {
        try (Connection connection = tested.database().connect()) {
            return new TreeSet<>(kept.all(connection));
        }
    }

    private long keepOne(Turn<Connection> turn, List<Long> drawn) throws SQLException {
        long number = turn.next();
        drawn.add(number);
        kept.keep(turn.transaction(), number);
        return number;
    }
}
