// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.TestedEngine.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.sql.ClassifiedException;
import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.SessionChange;
import dev.seriatim.jdbc.sql.WatchedConnection;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.SharedTransaction;
import dev.seriatim.store.SharedTransaction.Blame;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is known about a shared transaction when it is committed or rolled back, above all about one that no longer
 * exists: who receives which error, and where the counter is then. Single-threaded, in memory.
 */
@Timeout(60)
class SealedConnectionTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");

    /** H2's query for the transaction's identifier. */
    private static final String SEAL = "TRANSACTION_ID";

    private final SQLException conflict = new SQLException("others were first", "40001", 40001);
    private final SQLException lost = new SQLException("the connection\n is gone", "90067", 90067);
    private final SQLException otherwise = new SQLException("it is so", "HY000", 50000);

    private Database database = Engine.H2.freshDatabase();
    private final List<String> statements = new ArrayList<>();
    private final List<Throwable> answers = new ArrayList<>();
    private String answered = "none";
    private int open;
    private boolean boundsAnswers;

    /** The connection that was released last may be lent again. */
    private boolean reusable;

    /** The connection that was lent last. */
    @Nullable
    private Connection real;

    private JdbcStore store;
    private SharedTransaction<Connection> shared;
    private Hand hand;

    @BeforeEach
    void begin() throws SQLException {
        database.execute(KEPT.create());
        store = JdbcStore.open(source());
        store.create(SequenceDefinition.of("s"));
        beginAnew();
    }

    private DataSource source() {
        return DriverProxy.of(DataSource.class, (self, method, arguments) -> {
            Object result = method.invoke(database.dataSource(), arguments);
            return result instanceof Connection connection ? lent(connection) : result;
        });
    }

    @AfterEach
    void nothing_stays_lent() {
        store.close();
        assertThat(open).isZero();
    }

    private void beginOnSqlite() throws SQLException {
        shared.rollback();
        nothing_stays_lent();
        database = Engine.SQLITE.freshDatabase();
        begin();
    }

    private void beginAnew() {
        shared = store.begin("s");
        hand = new Hand(shared.counter());
        statements.clear();
    }

    /**
     * Wraps a driver's connection so that statements that contain a given text, or savepoints, can be answered by the
     * test.
     */
    private Connection lent(Connection connection) {
        real = connection;
        open++;
        AtomicInteger answerWait = new AtomicInteger();
        return DriverProxy.of(Connection.class, (self, method, arguments) -> {
            String what = arguments != null && arguments[0] instanceof String sql ? sql : method.getName();
            if (boundsAnswers && what.equals("setNetworkTimeout")) {
                answerWait.set((int) arguments[1]);
            }
            if (boundsAnswers && what.equals("getNetworkTimeout")) {
                return answerWait.get();
            }
            if (method.getName().equals("close")) {
                open--;
            }
            if (what.contains(answered) && !answers.isEmpty()) {
                throw answers.remove(0);
            }
            Object result = method.invoke(connection, arguments);
            if (method.getName().equals("prepareStatement")) {
                statements.add(what);
            }
            return result;
        });
    }

    /** On H2 as if one statement drew and locked the counter, on connections that the store keeps. */
    private void beginHere() {
        boundsAnswers = true;
        openLeanly(new H2Dialect());
        beginAgainHere();
    }

    /** On SQLite likewise; its seal is a savepoint. */
    private void beginLeanlyOnSqlite() throws SQLException {
        beginOnSqlite();
        openLeanly(new SqliteDialect());
        beginAnew();
    }

    private void openLeanly(Dialect dialect) {
        shared.rollback();
        nothing_stays_lent();
        store = UncheckedStores.over(
                new Kept(dialect), leanly(dialect), SequenceTable.own(), "the database", Duration.ofSeconds(10));
        store.begin("s").rollback(); // reads the row
    }

    private void beginAgainHere() {
        shared = store.beginHere("s", Duration.ofSeconds(5)).orElseThrow();
        hand = new Hand(shared.counter());
        statements.clear();
    }

    private static Dialect leanly(Dialect dialect) {
        LockWait exact = new LockWait() {
            @Override
            public boolean exact() {
                return true;
            }
        };
        return DriverProxy.of(Dialect.class, (self, method, arguments) -> switch (method.getName()) {
            case "sharesLeanly" -> true;
            case "lockWait" -> exact;
            case "keepsOpen" -> String.valueOf(arguments[0]).startsWith("SAVEPOINT");
            default -> method.invoke(dialect, arguments);
        });
    }

    /** Lends connections whose callers are watched, at once. */
    private final class Kept implements Connections {
        private final SessionChange changes;

        Kept(Dialect dialect) {
            changes = new SessionChange(dialect);
        }

        @Override
        public Lease forWriting(long deadline) throws SQLException {
            Connection connection = lent(database.connect());
            WatchedConnection watched = new WatchedConnection(connection, changes);
            return new Lease(connection, watched.lent(), ended -> {
                reusable = ended && watched.isUnchanged();
                try {
                    connection.close();
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
        }

        @Override
        public Optional<Lease> idleForSharing() {
            try {
                return Optional.of(forWriting(0));
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {}
    }

    private void answer(String to, Throwable... with) {
        answered = to;
        answers.addAll(List.of(with));
    }

    /** The turn of a unit that draws one number after another. */
    private static final class Hand implements SharedTransaction.Drawn {
        private final SequenceState before;
        private SequenceState counter;

        Hand(SequenceState before) {
            this.before = before;
            counter = before;
        }

        long next() {
            SequenceState.Taken taken = counter.take(1);
            counter = taken.after();
            return taken.reservation().block().first();
        }

        @Override
        public SequenceState counter() {
            return counter;
        }

        @Override
        public boolean hasDrawn() {
            return !counter.equals(before);
        }

        @Override
        public Place here() {
            SequenceState then = counter;
            return new Place() {
                @Override
                public boolean passed() {
                    return false;
                }

                @Override
                public void back() {
                    counter = then;
                }
            };
        }
    }

    private Connection lentToUnit() {
        return shared.handle(hand);
    }

    private long keepNext() throws SQLException {
        long number = hand.next();
        KEPT.keep(lentToUnit(), number);
        return number;
    }

    private List<Long> kept() throws SQLException {
        try (Connection connection = database.connect()) {
            return KEPT.all(connection).stream().sorted().toList();
        }
    }

    private long next() throws SQLException {
        return database.number("SELECT \"next_value\" FROM \"seriatim_sequence\"");
    }

    private void commit() {
        shared.commit(hand.counter());
    }

    private boolean commitHere() {
        return shared.commitHere(hand.counter(), Duration.ofSeconds(5));
    }

    /** Rolls back beneath the library, like a deadlock or another node's commit. */
    private void rolledBackBelow() throws SQLException {
        if (real != null) {
            real.rollback();
        }
    }

    private @Nullable Throwable thrown(Attempt attempt) {
        return catchThrowable(attempt::run);
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws Exception;
    }

    // How it normally ends.

    @Test
    void a_commit_writes_the_counter_and_takes_the_connection_away() throws SQLException {
        assertThat(keepNext()).isEqualTo(1);
        assertThat(keepNext()).isEqualTo(2);
        Connection connection = lentToUnit();
        commit();
        assertThat(connection.isClosed()).isTrue();
        assertThat(kept()).containsExactly(1L, 2L);
        assertThat(next()).isEqualTo(3);
    }

    @Test
    void a_commit_of_units_that_have_drawn_nothing_writes_no_counter() throws SQLException {
        KEPT.keep(lentToUnit(), 77);
        statements.clear();
        commit();
        assertThat(statements).noneMatch(sql -> sql.startsWith("UPDATE"));
        assertThat(kept()).containsExactly(77L);
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_rollback_undoes_everything_and_takes_the_connection_away() throws SQLException {
        keepNext();
        Connection connection = lentToUnit();
        shared.rollback();
        assertThat(connection.isClosed()).isTrue();
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void tells_the_counter_as_it_was_locked() {
        hand.next();
        assertThat(shared.counter().nextValue()).isEqualTo(1);
        shared.rollback();
    }

    // Marks.

    @Test
    void a_mark_takes_back_what_was_done_since_and_stays() throws SQLException {
        keepNext();
        SavepointTransaction.Mark mark = ((SavepointTransaction<Connection>) shared).mark();
        for (int i = 0; i < 2; i++) {
            KEPT.keep(lentToUnit(), 77);
            mark.undo();
        }
        commit();
        assertThat(kept()).containsExactly(1L);
    }

    @Test
    void a_mark_that_cannot_be_made_or_gone_back_to_says_why() throws SQLException {
        SavepointTransaction<Connection> marked = (SavepointTransaction<Connection>) shared;
        SavepointTransaction.Mark mark = marked.mark();
        answer("setSavepoint", conflict, otherwise);
        assertThatThrownBy(marked::mark)
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("'s'")
                .hasCause(conflict);
        assertThatThrownBy(marked::mark).isInstanceOf(Unavailable.class).hasCause(otherwise);
        answer("rollback", lost);
        assertThatThrownBy(mark::undo).isInstanceOf(Unavailable.class).hasCause(lost);
        shared.rollback();
    }

    // Who is to blame.

    @ParameterizedTest
    @CsvSource({"CONFLICT, OTHER_SESSION", "SPOILED, EARLIER_UNIT", "TIMED_OUT, UNIT", "DUPLICATE, UNIT", "LOST, UNIT"})
    void the_databases_exception_says_who_is_to_blame_wherever_it_is_wrapped(Fault fault, Blame blame) {
        SQLException told = new ClassifiedException(fault, "it is so");
        assertThat(shared.blame(told)).isEqualTo(blame);
        assertThat(shared.blame(new IllegalStateException(new Error(told)))).isEqualTo(blame);
        shared.rollback();
    }

    @Test
    void who_throws_nothing_of_the_databases_is_to_blame_itself() {
        assertThat(shared.blame(new IllegalArgumentException("refused"))).isEqualTo(Blame.UNIT);
        assertThat(shared.blame(new NoClassDefFoundError("for/the/Test"))).isEqualTo(Blame.UNIT);
        shared.rollback();
    }

    @Test
    void a_circle_of_causes_has_an_end() {
        Exception one = new IllegalStateException("one");
        Exception two = new IllegalStateException("two", one);
        one.initCause(two);
        assertThat(shared.blame(one)).isEqualTo(Blame.UNIT);
        shared.rollback();
    }

    // A transaction that the engine has rolled back.

    @Test
    void what_was_rolled_back_by_the_engine_is_to_be_run_again() throws SQLException {
        keepNext();
        rolledBackBelow();
        assertThatThrownBy(this::commit)
                .isInstanceOf(Overloaded.class)
                .hasMessage("sequence 's': the whole transaction was rolled back; nothing was committed")
                .hasNoCause();
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_statement_that_had_failed_before_is_named_and_is_the_cause() throws SQLException {
        keepNext();
        Throwable failed = thrown(() -> KEPT.keep(lentToUnit(), 1));
        assertThat(failed).isInstanceOf(SQLException.class);
        rolledBackBelow();
        assertThatThrownBy(this::commit)
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining(
                        "the whole transaction was rolled back, and a unit of work swallowed the exception; an"
                                + " earlier statement failed (Unique index")
                .hasMessageEndingWith("nothing was committed, let the exception propagate")
                .hasCause(failed);
    }

    @Test
    void who_wants_it_rolled_back_hears_nothing_when_the_engine_has_done_that() throws SQLException {
        keepNext();
        rolledBackBelow();
        shared.rollback();
        assertThat(kept()).isEmpty();
    }

    /** What a unit can do without being suspected of a commit. */
    private static Map<String, Attempt> plain(Connection connection) {
        Map<String, Attempt> plain = new LinkedHashMap<>();
        String insert = "INSERT INTO kept VALUES (7)";
        plain.put("execute", () -> execute(connection, insert));
        plain.put("executeUpdate", () -> connection.createStatement().executeUpdate("DELETE FROM kept;"));
        plain.put("executeLargeUpdate", () -> connection.createStatement().executeLargeUpdate(insert));
        plain.put("executeQuery", () -> connection.createStatement().executeQuery("/* all */ SELECT 1"));
        plain.put("executeBatch", () -> {
            Statement statement = connection.createStatement();
            statement.addBatch("UPDATE kept SET number = 8 -- all\n");
            statement.executeBatch();
        });
        plain.put("prepared", () -> connection.prepareStatement(insert).execute());
        plain.put("prepared batch", () -> {
            PreparedStatement statement = connection.prepareStatement("INSERT INTO kept VALUES (?)");
            statement.setLong(1, 9);
            statement.addBatch();
            statement.executeLargeBatch();
        });
        plain.put("others", () -> {
            connection.getMetaData().getTables(null, null, "%", null).close();
            connection.rollback(connection.setSavepoint());
            connection.createStatement().setQueryTimeout(1);
        });
        return plain;
    }

    /** What can commit, or leads to an object that can. */
    private static Map<String, Attempt> suspicious(Connection connection) {
        Map<String, Attempt> suspicious = new LinkedHashMap<>();
        suspicious.put("execute", () -> execute(connection, "CALL 1"));
        suspicious.put("executeUpdate", () -> connection.createStatement().executeUpdate("SET @x = 1"));
        suspicious.put("executeQuery", () -> connection.createStatement().executeQuery("CALL 1"));
        suspicious.put("two in one", () -> execute(connection, "SELECT 1; CALL 1"));
        suspicious.put("addBatch", () -> connection.createStatement().addBatch("SET @x = 1"));
        suspicious.put("prepared", () -> connection.prepareStatement("CALL 1"));
        suspicious.put("called", () -> connection.prepareCall("CALL 1"));
        suspicious.put("unwrap", () -> connection.unwrap(Connection.class));
        suspicious.put("unwrapped", () -> connection.createStatement().unwrap(Statement.class));
        return suspicious;
    }

    @Test
    void plain_statements_cannot_have_committed() throws Exception {
        for (String each : plain(lentToUnit()).keySet()) {
            Attempt attempt = plain(lentToUnit()).getOrDefault(each, () -> {});
            attempt.run();
            rolledBackBelow();
            assertThat(thrown(this::commit)).as(each).isInstanceOf(Overloaded.class);
            beginAnew();
        }
        shared.rollback();
        assertThat(kept()).isEmpty();
    }

    @Test
    void anything_else_can() throws Exception {
        for (String each : suspicious(lentToUnit()).keySet()) {
            suspicious(lentToUnit()).getOrDefault(each, () -> {}).run();
            rolledBackBelow();
            assertThat(thrown(this::commit)).as(each).isInstanceOf(CommitOutcomeUnknown.class);
            beginAnew();
            suspicious(lentToUnit()).getOrDefault(each, () -> {}).run();
            rolledBackBelow();
            assertThat(thrown(shared::rollback)).as(each).isInstanceOf(CommitOutcomeUnknown.class);
            beginAnew();
        }
        shared.rollback();
    }

    // A transaction that a unit may have ended.

    @Test
    void what_a_unit_has_committed_is_unknown_and_its_numbers_are_not_dealt_again() throws SQLException {
        keepNext();
        keepNext();
        execute(lentToUnit(), "COMMIT");
        keepNext();
        assertThatThrownBy(this::commit)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining(
                        "commit outcome unknown, a unit of work has ended the transaction that it shares with others;"
                                + " check whether")
                .hasRootCauseMessage("a unit of work has ended the transaction that it shares with others");
        assertThat(kept()).containsExactly(1L, 2L);
        assertThat(next()).isEqualTo(4);
    }

    @Test
    void so_it_is_when_it_is_to_be_rolled_back() throws SQLException {
        keepNext();
        execute(lentToUnit(), "COMMIT");
        Connection connection = lentToUnit();
        assertThatThrownBy(shared::rollback)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("a unit of work has ended the transaction");
        assertThat(connection.isClosed()).isTrue();
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void a_statement_that_had_failed_before_is_told_with_it() throws SQLException {
        keepNext();
        Throwable failed = thrown(() -> KEPT.keep(lentToUnit(), 1));
        execute(lentToUnit(), "COMMIT");
        Throwable told = thrown(this::commit);
        assertThat(told)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("shares with others; an earlier statement failed (Unique index")
                .hasRootCause(failed);
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void after_a_conflict_which_rolls_back_the_counter_stays() throws SQLException {
        keepNext();
        Connection connection = lentToUnit();
        execute(connection, "CALL 1");
        answer("in conflict", conflict);
        assertThat(thrown(() -> connection.nativeSQL("in conflict"))).isSameAs(conflict);
        rolledBackBelow();
        assertThat(thrown(this::commit))
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasRootCause(conflict);
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void the_unit_that_had_the_connection_last_says_how_far_it_has_drawn() throws SQLException {
        keepNext();
        keepNext();
        hand = new Hand(hand.counter());
        execute(lentToUnit(), "COMMIT");
        keepNext();
        assertThat(thrown(shared::rollback)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(next()).isEqualTo(4);
    }

    @Test
    void where_nothing_was_drawn_the_counter_is_left_alone() throws SQLException {
        execute(lentToUnit(), "COMMIT");
        store.raise("s", 5);
        statements.clear();
        assertThat(thrown(this::commit)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(statements).noneMatch(sql -> sql.contains("seriatim_sequence"));
        assertThat(next()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"2, 4", "4, 4", "9, 9"})
    void others_who_drew_meanwhile_are_not_taken_back(long raised, long expected) throws SQLException {
        for (int i = 0; i < 3; i++) {
            keepNext();
        }
        execute(lentToUnit(), "COMMIT");
        store.raise("s", raised);
        assertThat(thrown(this::commit))
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasNoSuppressedExceptions();
        assertThat(next()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"3, 4", "4, 4"})
    void the_last_number_is_used_up_although_others_have_drawn_before_it(long raised, long end) throws SQLException {
        shared.rollback();
        store.alter("s", definition -> definition.toBuilder().maxValue(3L).build());
        beginAnew();
        for (int i = 0; i < 3; i++) {
            keepNext();
        }
        execute(lentToUnit(), "COMMIT");
        store.alter("s", definition -> definition.toBuilder().maxValue(end).build());
        store.raise("s", raised);
        assertThat(thrown(this::commit))
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasNoSuppressedExceptions();
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(4);
    }

    @Test
    void a_sequence_that_was_restarted_meanwhile_is_left_where_it_is() throws SQLException {
        keepNext();
        execute(lentToUnit(), "COMMIT");
        store.restart("s", 1);
        assertThat(thrown(this::commit))
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasNoSuppressedExceptions();
        assertThat(next()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void why_the_counter_could_not_be_moved_is_attached(boolean committing) throws SQLException {
        keepNext();
        execute(lentToUnit(), "COMMIT");
        store.drop("s");
        assertThat(thrown(committing ? this::commit : () -> shared.rollback()))
                .isInstanceOfSatisfying(
                        CommitOutcomeUnknown.class,
                        e -> assertThat(e.getSuppressed())
                                .singleElement()
                                .isInstanceOf(NotFound.class)
                                .asString()
                                .contains("'s'"));
    }

    @Test
    void a_cycles_new_round_that_a_unit_has_begun_and_committed_has_begun() throws SQLException {
        shared.rollback();
        store.alter(
                "s",
                definition -> definition.toBuilder().maxValue(1L).cycle(true).build());
        beginAnew();
        assertThat(keepNext()).isEqualTo(1);
        commit();
        beginAnew();
        assertThat(hand.next()).isEqualTo(1);
        execute(lentToUnit(), "COMMIT");
        assertThat(thrown(this::commit)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(store.describe("s")).isEqualTo(hand.counter());
    }

    // Where the seal is a savepoint, and a statement can leave the connection without a transaction.

    @Test
    void on_sqlite_what_follows_a_commit_in_a_text_does_not_stand() throws SQLException {
        beginOnSqlite();
        List<Attempt> commits = List.of(
                () -> execute(lentToUnit(), "COMMIT"),
                () -> lentToUnit().prepareStatement("COMMIT").execute(),
                () -> {
                    Statement statement = lentToUnit().createStatement();
                    statement.addBatch("COMMIT");
                    statement.executeBatch();
                },
                () -> {
                    Statement statement = lentToUnit().createStatement();
                    statement.addBatch("COMMIT");
                    statement.executeLargeBatch();
                });
        for (Attempt attempt : commits) {
            for (Attempt end : List.<Attempt>of(this::commit, () -> shared.rollback())) {
                List<Long> expected = new ArrayList<>(kept());
                expected.add(keepNext());
                assertThat(thrown(attempt)).isNull();
                long undone = keepNext();
                assertThat(thrown(end))
                        .isInstanceOf(CommitOutcomeUnknown.class)
                        .hasMessageContaining("a unit of work has ended the transaction");
                assertThat(kept()).isEqualTo(expected).doesNotContain(undone);
                assertThat(next()).isEqualTo(undone + 1);
                beginAnew();
            }
        }
        shared.rollback();
    }

    @Test
    void on_sqlite_a_unit_that_keeps_a_rollback_to_itself_hears_it() throws SQLException {
        beginOnSqlite();
        keepNext();
        Throwable broken = thrown(() -> execute(lentToUnit(), "INSERT OR ROLLBACK INTO kept VALUES (1)"));
        keepNext();
        thrown(() -> execute(lentToUnit(), "INSERT INTO kept VALUES (2)"));
        assertThatThrownBy(this::commit)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining(
                        "a failed statement rolled back the whole transaction ([SQLITE_CONSTRAINT_PRIMARYKEY]")
                .hasMessageEndingWith(
                        "and a unit of work swallowed its exception; nothing was committed, let it propagate")
                .hasCause(broken);
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void on_sqlite_that_is_in_doubt_where_the_unit_may_have_committed_before() throws SQLException {
        beginOnSqlite();
        keepNext();
        execute(lentToUnit(), "PRAGMA user_version");
        Throwable broken = thrown(() -> execute(lentToUnit(), "INSERT OR ROLLBACK INTO kept VALUES (1)"));
        assertThatThrownBy(this::commit)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("an earlier statement failed")
                .hasRootCause(broken);
        assertThat(kept()).isEmpty();
    }

    @Test
    void on_sqlite_a_statement_that_failed_by_itself_costs_nothing_else() throws SQLException {
        beginOnSqlite();
        keepNext();
        assertThat(thrown(() -> execute(lentToUnit(), "INSERT INTO kept VALUES (1)")))
                .isInstanceOf(SQLException.class);
        keepNext();
        commit();
        assertThat(kept()).containsExactly(1L, 2L);
        assertThat(next()).isEqualTo(3);
    }

    @Test
    void on_sqlite_a_rollback_undoes_everything() throws SQLException {
        beginOnSqlite();
        keepNext();
        execute(lentToUnit(), "PRAGMA user_version");
        shared.rollback();
        assertThat(kept()).isEmpty();
    }

    @Test
    void a_transaction_that_a_statement_has_spoiled_is_still_there_and_says_why() throws SQLException {
        beginOnSqlite();
        keepNext();
        execute(lentToUnit(), "PRAGMA user_version");
        answer("createStatement", new ClassifiedException(Fault.SPOILED, "nothing works in it"));
        assertThatThrownBy(this::commit)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("an earlier statement failed and aborted the transaction");
        assertThat(kept()).isEmpty();
    }

    @Test
    void what_one_unit_has_left_open_is_not_the_next_ones() throws SQLException {
        beginOnSqlite();
        Savepoint others = lentToUnit().setSavepoint("here");
        keepNext();
        hand = new Hand(hand.counter());
        assertThat(thrown(() -> lentToUnit().rollback(others))).hasMessageContaining("does not belong to this unit");
        assertThat(thrown(() -> lentToUnit().releaseSavepoint(others)))
                .hasMessageContaining("does not belong to this unit");
        assertThat(thrown(() -> execute(lentToUnit(), "ROLLBACK TO here")))
                .hasMessageContaining("does not belong to this unit");
        commit();
        assertThat(kept()).containsExactly(1L);
    }

    // What the seal cannot detect.

    @Test
    void a_conflict_that_the_seal_meets_is_to_be_run_again() throws SQLException {
        keepNext();
        answer(SEAL, conflict, conflict);
        assertThatThrownBy(this::commit)
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("conflict with another session")
                .hasCause(conflict);
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void but_not_when_a_unit_may_have_committed() throws SQLException {
        keepNext();
        execute(lentToUnit(), "CALL 1");
        answer(SEAL, conflict, conflict);
        assertThatThrownBy(this::commit)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasRootCause(conflict);
    }

    @Test
    void where_the_seal_is_found_after_all_nothing_has_been_committed() throws SQLException {
        keepNext();
        execute(lentToUnit(), "CALL 1");
        answer(SEAL, conflict);
        assertThatThrownBy(this::commit).isInstanceOf(Overloaded.class).hasCause(conflict);
        assertThat(kept()).isEmpty();
    }

    @Test
    void a_connection_that_breaks_has_committed_nothing_of_plain_statements() throws SQLException {
        keepNext();
        answer(SEAL, lost);
        assertThatThrownBy(this::commit)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("broke (the connection is gone)")
                .hasCause(lost);
        beginAnew();
        keepNext();
        answer(SEAL, lost);
        shared.rollback();
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_connection_that_breaks_may_have_committed_what_a_unit_did_besides() throws SQLException {
        for (Attempt end : List.<Attempt>of(this::commit, () -> shared.rollback())) {
            keepNext();
            execute(lentToUnit(), "CALL 1");
            answer(SEAL, lost);
            assertThat(thrown(end))
                    .isInstanceOf(CommitOutcomeUnknown.class)
                    .hasMessageContaining(
                            "commit outcome unknown, the connection broke after a unit of work had done something that may"
                                    + " have committed; check")
                    .hasRootCause(lost);
            beginAnew();
        }
        shared.rollback();
    }

    @Test
    void what_the_seal_says_is_told_when_it_says_anything_else() throws SQLException {
        keepNext();
        answer(SEAL, otherwise);
        assertThatThrownBy(this::commit).isInstanceOf(Overloaded.class).hasCause(otherwise);
        beginAnew();
        execute(lentToUnit(), "CALL 1");
        answer(SEAL, otherwise);
        assertThatThrownBy(shared::rollback)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("a unit of work has ended the transaction")
                .hasRootCause(otherwise);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatever_the_seal_throws_the_transaction_has_ended(boolean committing) throws SQLException {
        for (Throwable thrown : List.of(new NoClassDefFoundError("for/the/Test"), new IllegalStateException("no"))) {
            keepNext();
            Connection connection = lentToUnit();
            answer(SEAL, thrown);
            assertThat(thrown(committing ? this::commit : () -> shared.rollback()))
                    .isSameAs(thrown);
            assertThat(connection.isClosed()).isTrue();
            assertThat(open).isZero();
            assertThat(kept()).isEmpty();
            beginAnew();
        }
        shared.rollback();
    }

    // Failures of the commit itself.

    @Test
    void a_counter_that_was_moved_by_other_means_refuses_the_commit() throws SQLException {
        keepNext();
        execute(lentToUnit(), "UPDATE \"seriatim_sequence\" SET \"next_value\" = 40");
        assertThatThrownBy(this::commit)
                .isInstanceOf(Misconfigured.class)
                .hasMessage("sequence 's': a unit of work draws from it without its turn, nothing was committed;"
                        + " draw only through the turn");
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_row_that_says_the_same_in_other_numbers_is_written_all_the_same() throws SQLException {
        shared.rollback();
        store.alter("s", definition -> definition.toBuilder().cycle(true).build());
        database.execute("UPDATE \"seriatim_sequence\" SET \"cycle\" = 7");
        beginAnew();
        keepNext();
        commit();
        assertThat(kept()).containsExactly(1L);
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void a_row_that_is_gone_refuses_the_commit() throws SQLException {
        keepNext();
        execute(lentToUnit(), "DELETE FROM \"seriatim_sequence\"");
        assertThatThrownBy(this::commit).isInstanceOf(Misconfigured.class).hasMessageContaining("without its turn");
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_counter_that_cannot_be_written_undoes_everything() throws SQLException {
        for (Throwable thrown : List.of(conflict, new NoClassDefFoundError("for/the/Test"))) {
            keepNext();
            Connection connection = lentToUnit();
            answer("UPDATE", thrown);
            Throwable told = thrown(this::commit);
            if (thrown == conflict) {
                assertThat(told)
                        .isInstanceOf(Overloaded.class)
                        .hasMessageContaining("roll the whole transaction back and retry it")
                        .hasCause(conflict);
            } else {
                assertThat(told).isSameAs(thrown);
            }
            assertThat(connection.isClosed()).isTrue();
            assertThat(open).isZero();
            assertThat(kept()).isEmpty();
            beginAnew();
        }
        shared.rollback();
    }

    @ParameterizedTest
    @ValueSource(strings = {SEAL, "UPDATE"})
    void a_failure_that_cannot_be_described_ends_the_transaction(String call) throws SQLException {
        keepNext();
        answer(call, new Undescribable());
        assertThatThrownBy(this::commit).isInstanceOf(NoClassDefFoundError.class);
        assertThat(open).isZero();
        assertThat(kept()).isEmpty();
        beginAnew();
        shared.rollback();
    }

    @Test
    void a_beginning_whose_failure_cannot_be_described_gives_its_connection_back() throws SQLException {
        shared.rollback();
        JdbcStore keeping =
                JdbcStore.keeping(source(), 1, SequenceTable.own(), DurabilityCheck.REQUIRED, Duration.ofMillis(500));
        answer("FOR UPDATE", new Undescribable());
        assertThatThrownBy(() -> keeping.begin("s")).isInstanceOf(NoClassDefFoundError.class);
        keeping.begin("s").rollback(); // with the only turn
        keeping.close();
    }

    /** A driver's exception whose description fails. */
    private static final class Undescribable extends SQLException {
        private static final long serialVersionUID = 1L;

        @Override
        public int getErrorCode() {
            throw new NoClassDefFoundError("for/the/Test");
        }
    }

    @Test
    void a_commit_that_is_refused_or_not_answered_is_told_as_that() throws SQLException {
        keepNext();
        answer("commit", conflict);
        assertThatThrownBy(this::commit).isInstanceOf(Overloaded.class).hasCause(conflict);
        beginAnew();
        keepNext();
        answer("commit", lost);
        assertThatThrownBy(this::commit)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("'s'")
                .hasCause(lost);
    }

    // Where the statement that locks the counter has drawn one number, and the caller's thread may commit.

    @Test
    void one_that_has_drawn_that_number_is_committed_by_its_callers_thread_with_no_further_statement()
            throws SQLException {
        beginHere();
        assertThat(keepNext()).isEqualTo(1);
        Connection connection = lentToUnit();
        statements.clear();
        assertThat(commitHere()).isTrue();
        assertThat(statements).isEmpty();
        assertThat(thrown(connection::createStatement)).hasMessageContaining("has ended");
        assertThat(open).isZero();
        assertThat(reusable).isTrue();
        assertThat(kept()).containsExactly(1L);
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void what_may_take_more_than_the_commit_is_left_to_another_thread() throws SQLException {
        beginHere();
        List<Attempt> works = List.of(
                () -> KEPT.keep(lentToUnit(), 77),
                () -> {
                    keepNext();
                    keepNext();
                },
                () -> {
                    keepNext();
                    execute(lentToUnit(), "CALL 1");
                },
                () -> {
                    keepNext();
                    assertThat(thrown(() -> KEPT.keep(lentToUnit(), 77))).isInstanceOf(SQLException.class);
                },
                () -> {
                    keepNext();
                    execute(lentToUnit(), "SELECT \"next_value\" FROM \"seriatim_sequence\"");
                });
        for (Attempt work : works) {
            assertThat(thrown(work)).isNull();
            assertThat(commitHere()).isFalse();
            assertThat(lentToUnit().isClosed()).isFalse();
            commit();
            assertThat(open).isZero();
            beginAgainHere();
        }
        shared.rollback();
        assertThat(kept()).containsExactly(1L, 2L, 3L, 4L, 5L, 77L);
        assertThat(next()).isEqualTo(6);
    }

    @Test
    void a_transaction_begun_elsewhere_or_without_a_bound_on_answers_is_not_committed_here() throws SQLException {
        beginHere();
        keepNext();
        boundsAnswers = false;
        assertThat(commitHere()).isFalse();
        commit();
        beginAnew();
        keepNext();
        boundsAnswers = true;
        assertThat(commitHere()).isFalse();
        commit();
        assertThat(kept()).containsExactly(1L, 2L);
        assertThat(next()).isEqualTo(3);
    }

    @Test
    void a_refused_commit_here_is_overloaded_and_an_unanswered_one_is_unknown() throws SQLException {
        beginHere();
        keepNext();
        answer("commit", conflict);
        assertThatThrownBy(this::commitHere).isInstanceOf(Overloaded.class).hasCause(conflict);
        assertThat(kept()).isEmpty();
        beginAgainHere();
        keepNext();
        answer("commit", lost);
        assertThatThrownBy(this::commitHere)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("'s'")
                .hasCause(lost);
    }

    @Test
    void a_counter_that_a_unit_moves_by_other_means_refuses_the_commit_although_it_has_drawn_that_number()
            throws SQLException {
        beginHere();
        keepNext();
        execute(lentToUnit(), "UPDATE \"seriatim_sequence\" SET \"next_value\" = 40");
        assertThatThrownBy(this::commit).isInstanceOf(Misconfigured.class).hasMessageContaining("without its turn");
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_connection_whose_session_may_have_changed_when_it_failed_is_not_lent_again() throws SQLException {
        beginHere();
        for (Throwable thrown : List.of(conflict, otherwise, new NoClassDefFoundError("for/the/Test"))) {
            keepNext();
            keepNext();
            answer("UPDATE", thrown);
            assertThat(thrown(this::commit)).isNotNull();
            assertThat(reusable).isEqualTo(thrown == conflict);
            beginAgainHere();
        }
        SavepointTransaction.Mark mark = ((SavepointTransaction<Connection>) shared).mark();
        answer("rollback", otherwise);
        assertThat(thrown(mark::undo)).hasCause(otherwise);
        shared.rollback();
        assertThat(reusable).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "true, 1", "true, 3", "false, 0", "false, 1", "false, 3"})
    void the_counter_shows_that_a_connection_that_broke_has_committed_nothing(boolean committing, int drawn)
            throws SQLException {
        beginHere();
        for (int i = 0; i < drawn; i++) {
            keepNext();
        }
        execute(lentToUnit(), "CALL 1");
        answer(SEAL, lost);
        Throwable failure = thrown(committing ? this::commit : () -> shared.rollback());
        if (committing) {
            assertThat(failure).isInstanceOf(Unavailable.class).hasCause(lost);
        } else {
            assertThat(failure).isNull();
        }
        assertThat(next()).isEqualTo(1);
        assertThat(kept()).isEmpty();
    }

    @Test
    void an_unmoved_counter_shows_it_too_if_an_earlier_statement_met_the_broken_connection() throws SQLException {
        beginHere();
        keepNext();
        Connection connection = lentToUnit();
        execute(connection, "CALL 1");
        answer("breaks", lost);
        assertThat(thrown(() -> connection.nativeSQL("breaks"))).isSameAs(lost);
        answer(SEAL, otherwise);
        assertThatThrownBy(this::commit).isInstanceOf(Unavailable.class).hasCause(otherwise);
        assertThat(next()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"true, 0, 2", "true, 1, 2", "true, 3, 4", "false, 0, 2", "false, 1, 2", "false, 3, 4"})
    void with_a_moved_counter_the_outcome_of_a_broken_connection_is_unknown(
            boolean committing, int drawn, long expected) throws SQLException {
        beginHere();
        for (int i = 0; i < drawn; i++) {
            keepNext();
        }
        execute(lentToUnit(), "COMMIT");
        answer(SEAL, lost);
        assertThat(thrown(committing ? this::commit : () -> shared.rollback()))
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasNoSuppressedExceptions()
                .hasRootCause(lost);
        assertThat(next()).isEqualTo(expected);
    }

    @Test
    void without_a_broken_connection_an_unmoved_counter_proves_nothing() throws SQLException {
        beginHere();
        keepNext();
        execute(lentToUnit(), "CALL 1");
        answer(SEAL, otherwise);
        assertThatThrownBy(this::commit)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasRootCause(otherwise);
        assertThat(next()).as("the number is not dealt again").isEqualTo(2);
        beginAgainHere();
        keepNext();
        Connection connection = lentToUnit();
        execute(connection, "CALL 1");
        answer("breaks", lost);
        assertThat(thrown(() -> connection.nativeSQL("breaks"))).isSameAs(lost);
        rolledBackBelow();
        assertThatThrownBy(this::commit).as("the seal answers").isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(next()).isEqualTo(3);
    }

    // Where the seal is set late.

    @Test
    void what_a_unit_takes_back_leaves_the_seal() throws SQLException {
        Attempt sets = () -> execute(lentToUnit(), "PRAGMA user_version"); // the seal
        List<Attempt> units = List.of(
                () -> {
                    SavepointTransaction.Mark mark = ((SavepointTransaction<Connection>) shared).mark();
                    sets.run();
                    mark.undo();
                },
                () -> {
                    Savepoint savepoint = lentToUnit().setSavepoint();
                    sets.run();
                    lentToUnit().rollback(savepoint);
                },
                () -> {
                    execute(lentToUnit(), "SAVEPOINT here");
                    sets.run();
                    execute(lentToUnit(), "ROLLBACK TO here");
                });
        beginLeanlyOnSqlite();
        for (Attempt unit : units) {
            assertThat(thrown(unit)).isNull();
            keepNext();
            commit();
            beginAnew();
        }
        shared.rollback();
        assertThat(kept()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void a_statement_that_rolled_back_is_reported_even_without_a_seal() throws SQLException {
        beginLeanlyOnSqlite();
        keepNext();
        Throwable broken = thrown(() -> execute(lentToUnit(), "INSERT OR ROLLBACK INTO kept VALUES (1)"));
        keepNext();
        assertThatThrownBy(this::commit)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("a failed statement rolled back the whole transaction")
                .hasCause(broken);
        assertThat(kept()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }
}
