// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Draws in transactions that see an older state of the database: each is correct, or fails and is retried. */
@Timeout(120)
abstract class IsolationContract {

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
        tested.database().execute(kept.create(), tested.kept("else").create());
        store = tested.open(tested.database().dataSource());
        store.create(SequenceDefinition.of("s"));
        sequences =
                StoreSequences.builder(store).patience(Duration.ofSeconds(30)).build();
    }

    @AfterEach
    void close() {
        sequences.close();
        store.close();
    }

    @ParameterizedTest(name = "level {0}")
    @ValueSource(ints = {1, 2, 4, 8})
    void numbers_drawn_behind_a_read_are_unique_and_gapless(int level) throws Exception {
        assumeTrue(tested.offers(level), "this engine has no such level");
        TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
        drawnBehindARead(level, counters(), sequence::next);
        assertGapless(false);
        assertThat(store.describe("s").nextValue()).isEqualTo(31);
    }

    @ParameterizedTest(name = "level {0}")
    @ValueSource(ints = {1, 2, 4, 8})
    void numbers_claimed_behind_a_read_are_unique_and_gapless(int level) throws Exception {
        assumeTrue(tested.pools(), "numbers cannot be laid out on this engine");
        PooledSequence<Connection> sequence = sequences.pooled("s", store);
        drawnBehindARead(level, somethingElse(), sequence::next);
        assertGapless(true);
    }

    private void drawnBehindARead(int level, String read, ToLongFunction<Connection> sequence) {
        new Crowd(3, 10).each((thread, turn) -> {
            try (Connection connection = tested.database().connect()) {
                connection.setTransactionIsolation(level);
                connection.setAutoCommit(false);
                while (!committed(connection, read, sequence)) {
                    connection.rollback();
                }
            }
        });
    }

    /** Returns whether the transaction committed; false if the library or the database reported a conflict. */
    private boolean committed(Connection connection, String read, ToLongFunction<Connection> sequence)
            throws SQLException {
        try {
            look(connection, read);
            kept.keep(connection, sequence.applyAsLong(connection));
            connection.commit();
            return true;
        } catch (Overloaded conflict) {
            return false;
        } catch (SequenceException.Misconfigured e) {
            assertThat(e).hasMessageContaining("READ UNCOMMITTED");
            return false;
        } catch (SQLException e) {
            if (isConflict(e)) {
                return false;
            }
            throw e;
        }
    }

    @ParameterizedTest(name = "level {0}")
    @ValueSource(ints = {4, 8})
    void draws_that_are_always_in_conflict_are_told_so_and_succeed_when_nobody_is_in_the_way(int level)
            throws Exception {
        assumeTrue(tested.offers(level), "this engine has no such level");
        TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
        alwaysInConflict(level, sequence::next);
        assertGapless(false);
    }

    @ParameterizedTest(name = "level {0}")
    @ValueSource(ints = {4, 8})
    void claims_that_are_always_in_conflict_are_told_so_and_succeed_when_nobody_is_in_the_way(int level)
            throws Exception {
        assumeTrue(tested.pools(), "numbers cannot be laid out on this engine");
        PooledSequence<Connection> sequence = sequences.pooled("s", store);
        alwaysInConflict(level, sequence::next);
        assertGapless(true);
    }

    /** Each attempt sees a state from before another transaction's draw. */
    private void alwaysInConflict(int level, ToLongFunction<Connection> sequence) throws SQLException {
        AtomicInteger conflicts = new AtomicInteger();
        inTransaction(Connection.TRANSACTION_READ_COMMITTED, sequence); // so that one-time setup is complete
        try (Connection connection = tested.database().connect()) {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            for (int i = 0; i < 4; i++) {
                look(connection, somethingElse());
                inTransaction(Connection.TRANSACTION_READ_COMMITTED, sequence);
                try {
                    kept.keep(connection, sequence.applyAsLong(connection));
                    connection.commit();
                } catch (Overloaded conflict) {
                    assertThat(conflict).hasMessageContaining("roll the whole transaction back");
                    conflicts.incrementAndGet();
                    connection.rollback();
                } catch (SQLException e) {
                    assertThat(isConflict(e)).as("%s", e).isTrue();
                    conflicts.incrementAndGet();
                    connection.rollback();
                }
            }
            if (tested.engine() == Engine.POSTGRESQL) {
                assertThat(conflicts).hasValue(4);
            }
            kept.keep(connection, sequence.applyAsLong(connection));
            connection.commit();
        }
    }

    private void inTransaction(int level, ToLongFunction<Connection> sequence) throws SQLException {
        try (Connection connection = tested.database().connect()) {
            if (tested.offers(level)) {
                connection.setTransactionIsolation(level);
            }
            connection.setAutoCommit(false);
            kept.keep(connection, sequence.applyAsLong(connection));
            connection.commit();
        }
    }

    @ParameterizedTest(name = "level {0}")
    @ValueSource(ints = {4, 8})
    @Tag("long")
    void a_unit_that_is_always_in_conflict_stops_nobody_else(int level) throws Exception {
        assumeTrue(tested.offers(level), "this engine has no such level");
        String rooms = tested.table() + "_rooms";
        tested.database().execute("CREATE TABLE " + rooms + " (n INT PRIMARY KEY, guests INT)");
        tested.database().execute("INSERT INTO " + rooms + " VALUES (1, 0)");
        AtomicInteger conflicts = new AtomicInteger();
        AtomicBoolean told = new AtomicBoolean();
        try (LentConnections lent = new LentConnections(
                        tested.database().dataSource(), connection -> connection.setTransactionIsolation(level));
                StoreSequences impatient = StoreSequences.builder(tested.open(lent.source()))
                        .patience(Duration.ofMillis(2500))
                        .build()) {
            JdbcStore atLevel = tested.open(lent.source());
            GroupedSequence<Connection> sequence = impatient.grouped("s", atLevel);
            List<Long> committed = new ArrayList<>();
            Thread always = new Thread(() -> {
                try {
                    sequence.<Long, Exception>commit(turn -> {
                        look(turn.transaction(), "SELECT guests FROM " + rooms + " WHERE n = 1");
                        boolean changed = changedByAnother(rooms);
                        long number = keepOne(turn);
                        try {
                            TestedEngine.execute(
                                    turn.transaction(), "UPDATE " + rooms + " SET guests = guests + 1 WHERE n = 1");
                        } catch (SQLException e) {
                            assertThat(changed).isTrue();
                            conflicts.incrementAndGet();
                            throw e;
                        }
                        return number;
                    });
                    told.set(conflicts.get() == 0);
                } catch (Overloaded e) {
                    told.set(String.valueOf(e.getMessage()).contains("nothing was committed") && conflicts.get() > 1);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            always.start();
            while (always.isAlive()) {
                committed.add(sequence.<Long, SQLException>commit(this::keepOne));
                TimeUnit.MILLISECONDS.sleep(25);
            }
            always.join();
            assertThat(told)
                    .as("told that it was in conflict, after %s conflicts", conflicts)
                    .isTrue();
            if (tested.engine() == Engine.POSTGRESQL || tested.engine() == Engine.H2) {
                assertThat(conflicts).hasPositiveValue();
            }
            committed.add(sequence.<Long, SQLException>commit(this::keepOne));
            try (Connection connection = tested.database().connect()) {
                assertThat(kept.all(connection)).containsAll(committed);
            }
            assertThat(lent.out()).isZero();
            assertThat(lent.changes()).isEmpty();
        }
        assertGapless(false);
    }

    /** Returns whether another session could; it cannot if readers take locks, or if there is only a single writer. */
    private boolean changedByAnother(String rooms) throws SQLException {
        if (tested.engine() == Engine.SQLITE || tested.isMySql()) {
            return false;
        }
        try (Connection other = tested.database().connect()) {
            TestedEngine.execute(other, "UPDATE " + rooms + " SET guests = guests + 1 WHERE n = 1");
            return true;
        }
    }

    private static boolean isConflict(SQLException e) {
        boolean locked = String.valueOf(e.getMessage()).contains("SQLITE_BUSY");
        boolean changed = e.getErrorCode() == 1020; // in MariaDB, at SERIALIZABLE
        return locked || changed || List.of("40001", "40P01").contains(String.valueOf(e.getSQLState()));
    }

    /**
     * Reads another table: at SERIALIZABLE, a transaction that has read a counter may block its update while it waits
     * for that update.
     */
    private String somethingElse() {
        return "SELECT * FROM " + tested.kept("else").table();
    }

    private String counters() {
        String quote = tested.isMySql() ? "`" : "\"";
        return "SELECT * FROM " + quote + tested.table() + quote;
    }

    /** Fixes the transaction's snapshot. */
    private static void look(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
        }
    }

    private long keepOne(Turn<Connection> turn) throws SQLException {
        long number = turn.next();
        kept.keep(turn.transaction(), number);
        return number;
    }

    private void assertGapless(boolean pooled) throws SQLException {
        List<Long> all = new ArrayList<>();
        long next;
        do { // a background refill may still arrive between the two readings
            next = store.describe("s").nextValue();
            all.clear();
            if (pooled) {
                store.poolState("s").ifPresent(pool -> pool.laidOut().forEach(run -> run.forEach(all::add)));
            }
        } while (store.describe("s").nextValue() != next);
        try (Connection connection = tested.database().connect()) {
            all.addAll(kept.all(connection));
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(1, next).boxed().toList());
    }
}
