// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.TestedEngine.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.mysql.MySqlDialect;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.KeptConnections;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.OneGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A unit that is alone in its transaction, over connections that the store keeps: it begins and commits on its caller's
 * thread, costs what SYNC costs, and ends like any other.
 */
@Timeout(90)
@SuppressWarnings("NullAway.Init") // set by open
@Tag("long")
class LoneUnitTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");

    /** Scheduling delay on a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private record Call(String what, Thread by) {}

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private volatile @Nullable SQLException commitFails;
    private volatile int networkTimeout;
    private volatile boolean limitStays;
    private final AtomicInteger closed = new AtomicInteger();

    private JdbcStore store;
    private GroupedSequence<Connection> sequence;

    private Database open(Engine engine, Duration patience) throws SQLException {
        return open(engine.freshDatabase(), patience);
    }

    private Database open(Database database, Duration patience) throws SQLException {
        database.execute(KEPT.create());
        try (Connection connection = database.connect()) {
            over(Dialects.of(connection), database, patience);
        }
        store.create(SequenceDefinition.of("s"));
        return database;
    }

    private void over(Dialect dialect, Database database, Duration patience) {
        KeptConnections kept =
                new KeptConnections(() -> recorded(database.connect()), dialect, "kept", 2, patience, patience);
        store = UncheckedStores.over(kept, dialect, SequenceTable.own(), "kept", patience);
        opened.add(store);
        StoreSequences sequences =
                StoreSequences.builder(store).patience(patience).build();
        opened.add(0, sequences);
        sequence = sequences.grouped("s", store);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /** Records everything that costs a round trip. */
    private Connection recorded(Connection connection) {
        return DriverProxy.of(Connection.class, (self, method, arguments) -> {
            String what = method.getName();
            switch (what) {
                case "prepareStatement" -> record(String.valueOf(arguments[0]));
                case "setAutoCommit" -> record(what + arguments[0]);
                case "commit", "rollback", "setSavepoint", "releaseSavepoint", "createStatement", "isValid" ->
                    record(what);
                case "setNetworkTimeout" -> {
                    if (limitStays && (int) arguments[1] == 0) {
                        limitStays = false;
                        throw new StackOverflowError("the limit stays");
                    }
                    networkTimeout = (int) arguments[1];
                }
                case "close" -> closed.incrementAndGet();
                default -> {}
            }
            Object result = method.invoke(connection, arguments);
            SQLException failure = commitFails;
            if (what.equals("commit") && failure != null) {
                commitFails = null;
                throw failure; // and it is committed
            }
            return result;
        });
    }

    private void record(String what) {
        calls.add(new Call(what.replaceAll("\\d+(\\.\\d+)?(ms)?", "N"), Thread.currentThread()));
    }

    /** Runs units until one has begun and ended on this thread; returns what that one has sent. */
    private List<String> sentByOneHere() throws Exception {
        return sentByOneHere(KEPT::keepNext);
    }

    private List<String> sentByOneHere(Unit unit) throws Exception {
        for (int i = 0; i < 200; i++) {
            calls.clear();
            sequence.commit(unit::run);
            if (calls.stream().allMatch(call -> call.by() == Thread.currentThread())) {
                return calls.stream().map(Call::what).toList();
            }
        }
        throw new AssertionError("no unit begins and ends on its caller's thread; the last: " + calls);
    }

    @FunctionalInterface
    private interface Unit {
        Long run(Turn<Connection> turn) throws Exception;
    }

    private long next() {
        return store.describe("s").nextValue();
    }

    // What it costs.

    /** In the same statement, GROUPED makes its commit durable (PostgreSQL), and SYNC ignores the caller's snapshot and keeps its key (MariaDB). */
    private static List<String> withoutWhatOneSets(List<String> sent) {
        return sent.stream()
                .map(what -> what.replace(", last_insert_id = LAST_INSERT_ID()", "")
                        .replace(", innodb_snapshot_isolation = OFF", "")
                        .replaceAll(" AND CASE WHEN [^ ]*'synchronous_commit'.*? END", ""))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sends_what_sync_sends_and_nothing_more(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        List<String> grouped = sentByOneHere();
        TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "s");
        calls.clear();
        store.<Long, Exception>inTransaction(connection -> {
            long number = sync.next(connection);
            KEPT.keep(connection, number);
            return number;
        });
        assertThat(withoutWhatOneSets(calls.stream().map(Call::what).toList())).isEqualTo(withoutWhatOneSets(grouped));
        assertThat(grouped)
                .hasSizeBetween(4, 7)
                .filteredOn(what -> what.contains("UPDATE"))
                .hasSize(1);
        assertThat(networkTimeout).as("as it was").isZero();
        KEPT.assertUpTo(database, next() - 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void what_it_sets_for_its_tenant_costs_that_statement_and_nothing_more(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        List<String> expected = new ArrayList<>(sentByOneHere());
        List<String> sent = sentByOneHere(turn -> {
            long number = KEPT.keepNext(turn);
            execute(turn.transaction(), engine == Engine.MARIADB ? "SET @tenant = 'x'" : "SET LOCAL app.tenant = 'x'");
            return number;
        });
        assertThat(sent).contains("createStatement").hasSize(expected.size() + 1);
        expected.add("createStatement");
        assertThat(sent).containsExactlyInAnyOrderElementsOf(expected);
        KEPT.assertUpTo(database, next() - 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void writes_the_counter_once_more_if_it_has_not_drawn_one_number(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        for (int numbers : new int[] {0, 1, 3, 0, 2, 1}) {
            long before = next();
            sequence.<Long, Exception>commit(turn -> {
                for (int i = 0; i < numbers; i++) {
                    KEPT.keepNext(turn);
                }
                return 0L;
            });
            assertThat(next()).isEqualTo(before + numbers);
        }
        KEPT.assertUpTo(database, 7);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_group_writes_the_counter_once_more_however_many_join(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        sentByOneHere();
        long first = next();
        calls.clear();
        OneGroup<Connection> group = new OneGroup<>(sequence);
        for (int i = 0; i < 5; i++) {
            group.add(KEPT::keepNext);
        }
        group.go();
        for (int i = 0; i < 5; i++) {
            assertThat(group.result(i)).isEqualTo(first + i);
        }
        assertThat(calls.stream().map(Call::what))
                .filteredOn(what -> what.contains("UPDATE"))
                .hasSize(2);
        assertThat(calls.stream().map(Call::what)).doesNotContain("setSavepoint", "releaseSavepoint");
        KEPT.assertUpTo(database, first + 4);
    }

    /** Such a connection would fail its next borrower, who may wait longer. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_connection_that_keeps_its_limit_is_given_up(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> {
                    limitStays = true;
                    store.readHere("s", Duration.ofSeconds(1));
                },
                () -> {
                    limitStays = true;
                    store.beginHere("s", Duration.ofSeconds(1));
                },
                () -> sequence.commit(turn -> {
                    limitStays = true;
                    return KEPT.keepNext(turn);
                }))) {
            sentByOneHere();
            int before = closed.get();
            Throwable thrown = catchThrowable(call);
            assertThat(thrown)
                    .satisfiesAnyOf(
                            its -> assertThat(its).isInstanceOf(StackOverflowError.class),
                            its -> assertThat(its).hasRootCauseInstanceOf(StackOverflowError.class));
            assertThat(closed).hasValue(before + 1);
        }
        sentByOneHere();
        KEPT.assertUpTo(database, next() - 1);
    }

    /** MySQL rounds a lock's wait up to a second, which may be longer than a caller's thread should wait. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB"})
    void begins_on_no_callers_thread_if_a_lock_may_take_longer_than_allowed(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        over(new MySqlDialect(), database, Duration.ofSeconds(10));
        calls.clear();
        for (int i = 0; i < 20; i++) {
            sequence.commit(KEPT::keepNext);
        }
        assertThat(calls)
                .filteredOn(call -> call.what().equals("setAutoCommitfalse"))
                .isNotEmpty()
                .noneMatch(call -> call.by() == Thread.currentThread());
        KEPT.assertUpTo(database, 20);
    }

    // How it ends.

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void what_it_throws_is_thrown_and_its_number_is_dealt_again(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        for (Throwable thrown : List.of(
                new SQLException("its own"), new IllegalStateException("its own"), new StackOverflowError("its own"))) {
            sentByOneHere();
            long before = next();
            assertThatThrownBy(() -> sequence.commit(turn -> {
                        KEPT.keepNext(turn);
                        KEPT.keepNext(turn);
                        return thrown instanceof Error error ? raise(error) : raise((Exception) thrown);
                    }))
                    .isSameAs(thrown);
            assertThat(next()).isEqualTo(before);
        }
        sentByOneHere();
        KEPT.assertUpTo(database, next() - 1);
    }

    private static long raise(Error error) {
        throw error;
    }

    private static long raise(Exception exception) throws Exception {
        throw exception;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_failed_statement_that_it_swallows_ends_as_the_engine_says(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        sentByOneHere();
        long before = next();
        Throwable thrown = catchThrowable(() -> sequence.commit(turn -> {
            long number = KEPT.keepNext(turn);
            assertThatThrownBy(() -> KEPT.keep(turn.transaction(), number)).isInstanceOf(SQLException.class);
            return number;
        }));
        if (engine == Engine.POSTGRESQL) { // the failure has spoiled the transaction
            assertThat(thrown).isInstanceOf(Misconfigured.class);
            assertThat(next()).isEqualTo(before);
        } else {
            assertThat(thrown).isNull();
            assertThat(next()).isEqualTo(before + 1);
        }
        KEPT.assertUpTo(database, next() - 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void its_savepoints_take_its_numbers_back(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        sentByOneHere();
        long before = next();
        sequence.<Long, Exception>commit(turn -> {
            KEPT.keepNext(turn);
            Savepoint savepoint = turn.transaction().setSavepoint();
            KEPT.keepNext(turn);
            execute(turn.transaction(), engine == Engine.POSTGRESQL ? "SET LOCAL work_mem = '1MB'" : "SET @x = 1");
            turn.transaction().rollback(savepoint);
            Turn.Mark mark = turn.mark();
            KEPT.keepNext(turn);
            mark.undo();
            return KEPT.keepNext(turn);
        });
        assertThat(next()).isEqualTo(before + 2);
        KEPT.assertUpTo(database, before + 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_commit_of_its_own_is_found_and_no_number_is_dealt_twice(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        for (String end : List.of("COMMIT", "CREATE TABLE other (n INT)")) {
            sentByOneHere();
            boolean stays = engine == Engine.POSTGRESQL && end.startsWith("CREATE"); // which does not commit there
            Throwable thrown = catchThrowable(() -> sequence.commit(turn -> {
                KEPT.keepNext(turn);
                execute(turn.transaction(), end);
                return KEPT.keepNext(turn);
            }));
            if (stays) {
                assertThat(thrown).isNull();
            } else {
                assertThat(thrown).as(end).isInstanceOf(CommitOutcomeUnknown.class);
            }
        }
        long last = sequence.commit(KEPT::keepNext);
        assertThat(next()).isEqualTo(last + 1);
        try (Connection connection = database.connect()) {
            assertThat(KEPT.all(connection)).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_commit_of_its_own_before_it_has_drawn_leaves_a_gap_of_one(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        sentByOneHere();
        long before = next();
        endsItself("COMMIT", () -> {});
        assertThat(next()).isEqualTo(before + 1);
        endsItself("COMMIT", () -> assertThat(drawnByAnother()).isEqualTo(before + 2));
        assertThat(sequence.commit(KEPT::keepNext)).isEqualTo(before + 3);
        try (Connection connection = database.connect()) {
            assertThat(KEPT.all(connection)).doesNotContain(before, before + 1).doesNotHaveDuplicates();
        }
    }

    /** The row then looks as if the unit had committed: the number must not be put back. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_rollback_of_its_own_before_it_has_drawn_leaves_no_gap_and_others_keep_their_numbers(Engine engine)
            throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        sentByOneHere();
        long before = next();
        endsItself("ROLLBACK", () -> {});
        assertThat(next()).isEqualTo(before);
        endsItself("ROLLBACK", () -> assertThat(drawnByAnother()).isEqualTo(before));
        assertThat(sequence.commit(KEPT::keepNext)).isEqualTo(before + 1);
        KEPT.assertUpTo(database, before + 1);
    }

    private void endsItself(String end, Runnable meanwhile) {
        assertThatThrownBy(() -> sequence.commit(turn -> {
                    execute(turn.transaction(), end);
                    meanwhile.run();
                    return 0L;
                }))
                .as(end)
                .isInstanceOf(CommitOutcomeUnknown.class);
    }

    private long drawnByAnother() {
        TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "s");
        return store.<Long, RuntimeException>inTransaction(connection -> {
            long number = sync.next(connection);
            try {
                KEPT.keep(connection, number);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return number;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_commit_without_an_answer_is_unknown(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        sentByOneHere();
        long before = next();
        commitFails = new SQLException("the answer is lost", "08006");
        assertThatThrownBy(() -> sequence.commit(KEPT::keepNext)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(sequence.commit(KEPT::keepNext)).isEqualTo(before + 1);
        KEPT.assertUpTo(database, before + 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL"})
    void a_rule_that_the_commit_checks_is_its_own_failure(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(10));
        database.execute("CREATE TABLE ruled (n INT UNIQUE DEFERRABLE INITIALLY DEFERRED)");
        sentByOneHere();
        long before = next();
        assertThatThrownBy(() -> sequence.commit(turn -> {
                    execute(turn.transaction(), "INSERT INTO ruled VALUES (1), (1)");
                    return KEPT.keepNext(turn);
                }))
                .isInstanceOf(Misconfigured.class);
        assertThat(next()).isEqualTo(before);
        KEPT.assertUpTo(database, before - 1);
    }

    // How long it takes.

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_server_that_does_not_answer_costs_the_patience_and_no_more(Engine engine) throws Exception {
        Duration patience = Duration.ofSeconds(2);
        try (Server server = engine == Engine.POSTGRESQL ? Server.postgresql(Map.of()) : Server.mariadb(Map.of())) {
            Database database = open(server.freshDatabase(), patience);
            sentByOneHere();
            assertThat(timed(
                            patience,
                            () -> sequence.commit(turn -> {
                                long number = KEPT.keepNext(turn);
                                server.suspend();
                                return number;
                            })))
                    .as("the commit")
                    .isInstanceOf(CommitOutcomeUnknown.class);
            assertThat(timed(patience, () -> sequence.commit(KEPT::keepNext)))
                    .as("the beginning")
                    .isInstanceOf(Unavailable.class);
            server.resume();
            long last = sentAgain();
            assertThat(next()).isEqualTo(last + 1);
            KEPT.assertUpTo(database, last);
            close();
            opened.clear();
        }
    }

    private long sentAgain() throws Exception {
        while (true) {
            try {
                return sequence.commit(KEPT::keepNext);
            } catch (Overloaded | Unavailable notYet) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws Exception;
    }

    private static @Nullable Throwable timed(Duration patience, Attempt attempt) {
        long began = System.nanoTime();
        Throwable thrown = catchThrowable(attempt::run);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(patience.plus(SLACK));
        return thrown;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_lock_that_another_session_holds_is_named(Engine engine) throws Exception {
        Duration patience = Duration.ofSeconds(2);
        Database database = open(engine, patience);
        sentByOneHere();
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            execute(other, "UPDATE seriatim_sequence SET next_value = next_value");
            assertThat(timed(patience, () -> sequence.commit(KEPT::keepNext)))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("no lock on its counter");
            other.rollback();
        }
        long last = sentAgain();
        assertThat(next()).isEqualTo(last + 1);
        KEPT.assertUpTo(database, last);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void an_interrupted_caller_waits_for_no_lock_and_stays_interrupted(Engine engine) throws Exception {
        Duration patience = Duration.ofSeconds(20);
        Database database = open(engine, patience);
        sentByOneHere();
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            execute(other, "UPDATE seriatim_sequence SET next_value = next_value");
            FutureTask<Boolean> waits = new FutureTask<>(() -> {
                Throwable thrown = catchThrowable(() -> sequence.commit(KEPT::keepNext));
                assertThat(thrown).isInstanceOf(Unavailable.class).hasMessageContaining("interrupted");
                return Thread.currentThread().isInterrupted();
            });
            Thread caller = new Thread(waits, "caller");
            caller.start();
            TimeUnit.MILLISECONDS.sleep(200);
            caller.interrupt();
            assertThat(waits.get(5, TimeUnit.SECONDS)).isTrue();
            other.rollback();
        }
        long last = sentAgain();
        KEPT.assertUpTo(database, last);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void closing_waits_for_the_unit_that_runs(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(20));
        sentByOneHere();
        long before = next();
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        FutureTask<Long> unit = new FutureTask<>(() -> sequence.commit(turn -> {
            runs.countDown();
            ends.await();
            return KEPT.keepNext(turn);
        }));
        new Thread(unit, "caller").start();
        runs.await();
        Thread closing = new Thread(sequence::close, "closing");
        closing.start();
        TimeUnit.MILLISECONDS.sleep(100);
        assertThat(closing.isAlive()).isTrue();
        ends.countDown();
        assertThat(unit.get(20, TimeUnit.SECONDS)).isEqualTo(before);
        closing.join();
        KEPT.assertUpTo(database, before);
    }

    // Others who wait.

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void the_first_unit_of_a_group_fails_alone_and_leaves_no_gap(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(20));
        sentByOneHere();
        long before = next();
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(turn -> {
                    KEPT.keepNext(turn);
                    KEPT.keepNext(turn);
                    throw new IllegalStateException("its own");
                })
                .add(KEPT::keepNext)
                .add(KEPT::keepNext)
                .go();
        assertThat(group.failure(0)).isInstanceOf(IllegalStateException.class).hasMessage("its own");
        assertThat(List.of(group.result(1), group.result(2))).containsExactly(before, before + 1);
        assertThat(next()).isEqualTo(before + 2);
        KEPT.assertUpTo(database, before + 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_transaction_that_another_session_has_spoiled_runs_again(Engine engine) throws Exception {
        Database database = open(engine, Duration.ofSeconds(20));
        database.execute("CREATE TABLE rooms (n INT PRIMARY KEY, guests INT)", "INSERT INTO rooms VALUES (1, 0)");
        sentByOneHere();
        long before = next();
        int[] runs = {0};
        long number = sequence.commit(turn -> {
            runs[0]++;
            long drawn = KEPT.keepNext(turn);
            if (runs[0] == 1) {
                throw new SQLException("could not serialize access", "40001", engine == Engine.MARIADB ? 1213 : 0);
            }
            return drawn;
        });
        assertThat(runs[0]).isEqualTo(2);
        assertThat(number).isEqualTo(before);
        KEPT.assertUpTo(database, before);
    }
}
