// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.TestedEngine.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.StoreDriver;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbc.JdbcDatabaseMetaData;
import org.h2.jdbc.JdbcPreparedStatement;
import org.h2.jdbc.JdbcResultSet;
import org.h2.jdbc.JdbcStatement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a unit of work may do with the connection that it is lent, and which errors it gets otherwise.
 * Single-threaded, in memory.
 */
@Timeout(60)
class GuardedConnectionTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");
    private static final String NO_END = "2D000";
    private static final String NO_CONNECTION = "08003";
    private static final String NO_SAVEPOINT = "3B001";

    /** Methods for cleaning up, or about the driver alone. */
    private static final Set<String> ALWAYS =
            Set.of("close", "isClosed", "getConnection", "getDriverMajorVersion", "getDriverMinorVersion");

    private Database database = Engine.H2.freshDatabase();
    private JdbcStore store;
    private StoreSequences sequences;
    private GroupedSequence<Connection> numbers;

    @BeforeEach
    void create() throws SQLException {
        database.execute(KEPT.create(), "INSERT INTO kept VALUES (0)");
        open((JdbcStore) StoreDriver.open(database.url()));
        store.create(SequenceDefinition.of("s"));
    }

    private void open(JdbcStore opened) {
        store = opened;
        sequences = StoreSequences.builder(store).executor(Runnable::run).build();
        numbers = sequences.grouped("s", store);
    }

    @AfterEach
    void close() {
        sequences.close();
        store.close();
    }

    private void isRefused(ThrowingCallable call, String state, String words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
                .hasMessageContaining(words);
    }

    private List<Long> kept() throws SQLException {
        try (Connection connection = database.connect()) {
            return KEPT.all(connection).stream().sorted().toList();
        }
    }

    /** SQLite's results and statements are their own metadata. */
    @Test
    void metadata_is_lent_although_the_driver_implements_it_by_what_has_it() throws SQLException {
        try (JdbcStore sqlite =
                (JdbcStore) StoreDriver.open(Engine.SQLITE.freshDatabase().url())) {
            sqlite.create(SequenceDefinition.of("s"));
            sqlite.<Boolean, SQLException>inTransaction(connection -> {
                try (PreparedStatement statement = connection.prepareStatement("SELECT ? AS one")) {
                    statement.setInt(1, 1);
                    assertThat(statement.getParameterMetaData().getParameterCount())
                            .isEqualTo(1);
                    ResultSet row = statement.executeQuery();
                    assertThat(row.getMetaData().getColumnName(1)).isEqualTo("one");
                    assertThat(row.getStatement().getConnection()).isSameAs(connection);
                }
                return true;
            });
        }
    }

    @Test
    void a_unit_that_would_end_the_transaction_hears_what_to_do_instead() throws Exception {
        numbers.<Long, Exception>commit(turn -> {
            Connection connection = turn.transaction();
            Map<String, ThrowingCallable> endings = Map.of(
                    "commit", connection::commit,
                    "rollback", connection::rollback,
                    "setAutoCommit", () -> connection.setAutoCommit(true),
                    "abort", () -> connection.abort(Runnable::run),
                    "setTransactionIsolation",
                            () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
            endings.forEach((name, ending) -> isRefused(
                    ending,
                    NO_END,
                    "a unit of work shares its transaction with others and must not call " + name
                            + "; return normally to commit it, or throw to undo it"));
            connection.setAutoCommit(false);
            return KEPT.keepNext(turn);
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void closing_the_connection_any_number_of_times_leaves_it_open() throws Exception {
        numbers.<Long, Exception>commit(turn -> {
            turn.transaction().close();
            turn.transaction().close();
            assertThat(turn.transaction().isClosed()).isFalse();
            return KEPT.keepNext(turn);
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void a_connection_that_is_closed_below_says_so() {
        assertThatThrownBy(() -> numbers.<Long, Exception>commit(turn -> {
                    turn.transaction().unwrap(Connection.class).close();
                    assertThat(turn.transaction().isClosed()).isTrue();
                    throw new IllegalStateException("it says so");
                }))
                .hasStackTraceContaining("it says so");
    }

    @Test
    void a_connection_is_equal_to_itself_alone_and_tells_whose_it_is() throws Exception {
        numbers.<Long, Exception>commit(turn -> {
            Connection connection = turn.transaction();
            Connection below = connection.unwrap(Connection.class);
            assertThat(turn.transaction()).isSameAs(connection);
            Object again = turn.transaction();
            Object nothing = null;
            assertThat(connection.equals(again)).isTrue();
            assertThat(connection.equals(below)).isFalse();
            assertThat(connection.equals(nothing)).isFalse();
            Map<Object, String> table = new HashMap<>(Map.of(connection, "lent", below, "below"));
            assertThat(table).containsEntry(connection, "lent").containsEntry(below, "below");
            assertThat(connection).hasToString("shared " + below);
            return 0L;
        });
    }

    @Test
    void what_is_made_on_the_connection_leads_back_to_it_and_is_equal_to_itself_alone() throws Exception {
        numbers.<Long, Exception>commit(turn -> {
            Connection connection = turn.transaction();
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("SELECT number FROM kept");
                    CallableStatement call = connection.prepareCall("SELECT number FROM kept");
                    ResultSet row = prepared.executeQuery();
                    ResultSet tables = connection.getMetaData().getTables(null, null, "KEPT", null)) {
                statement.execute("SELECT number FROM kept");
                List<Object> made = List.of(
                        statement,
                        prepared,
                        call,
                        row,
                        tables,
                        statement.getResultSet(),
                        row.getStatement(),
                        connection.getMetaData());
                for (Object each : made) {
                    Object same = each;
                    Object nothing = null;
                    assertThat(each.equals(same)).isTrue();
                    assertThat(each.equals(nothing)).isFalse();
                    assertThat(new HashMap<>(Map.of(each, "it"))).containsEntry(each, "it");
                    assertThat(each.toString()).isNotBlank();
                }
                assertThat(Set.copyOf(made)).hasSameSizeAs(made);
                assertThat(statement).isNotInstanceOf(PreparedStatement.class);
                assertThat(prepared).isNotInstanceOf(CallableStatement.class);
                assertThat(statement.getConnection()).isSameAs(connection);
                assertThat(prepared.getConnection()).isSameAs(connection);
                assertThat(call.getConnection()).isSameAs(connection);
                assertThat(row.getStatement().getConnection()).isSameAs(connection);
                assertThat(statement.getResultSet().getStatement().getConnection())
                        .isSameAs(connection);
                assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
            }
            return 0L;
        });
    }

    @Test
    void unwrap_hands_out_what_was_asked_for_and_what_is_jdbcs_still_leads_back() throws Exception {
        numbers.<Long, Exception>commit(turn -> {
            Connection connection = turn.transaction();
            DatabaseMetaData metaData = connection.getMetaData();
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("SELECT 1");
                    ResultSet row = prepared.executeQuery()) {
                assertThat(connection.isWrapperFor(JdbcConnection.class)).isTrue();
                assertThat(statement.isWrapperFor(JdbcStatement.class)).isTrue();
                JdbcConnection below = connection.unwrap(JdbcConnection.class);
                JdbcStatement driversStatement = statement.unwrap(JdbcStatement.class);
                JdbcPreparedStatement driversPrepared = prepared.unwrap(JdbcPreparedStatement.class);
                JdbcResultSet driversRow = row.unwrap(JdbcResultSet.class);
                JdbcDatabaseMetaData driversMetaData = metaData.unwrap(JdbcDatabaseMetaData.class);
                for (Connection drivers : List.of(
                        driversStatement.getConnection(),
                        driversPrepared.getConnection(),
                        driversRow.getStatement().getConnection(),
                        driversMetaData.getConnection())) {
                    assertThat(drivers).isSameAs(below);
                }
                assertThat(statement.unwrap(Statement.class).getConnection()).isSameAs(connection);
                assertThat(prepared.unwrap(PreparedStatement.class).getConnection())
                        .isSameAs(connection);
                assertThat(row.unwrap(ResultSet.class).getStatement().getConnection())
                        .isSameAs(connection);
                assertThat(metaData.unwrap(DatabaseMetaData.class).getConnection())
                        .isSameAs(connection);
            }
            return 0L;
        });
    }

    @Test
    void nothing_works_when_the_transaction_has_ended_that_was_made_in_it() throws Exception {
        Map<Class<?>, Object> made = new LinkedHashMap<>();
        numbers.<Long, Exception>commit(turn -> {
            Connection connection = turn.transaction();
            made.put(Connection.class, connection);
            made.put(DatabaseMetaData.class, connection.getMetaData());
            made.put(Statement.class, connection.createStatement());
            PreparedStatement prepared = connection.prepareStatement("SELECT number FROM kept");
            made.put(PreparedStatement.class, prepared);
            made.put(CallableStatement.class, connection.prepareCall("SELECT number FROM kept"));
            made.put(ResultSet.class, prepared.executeQuery());
            return KEPT.keepNext(turn);
        });
        for (Map.Entry<Class<?>, Object> each : made.entrySet()) {
            for (Method method : each.getKey().getMethods()) {
                if (!Modifier.isStatic(method.getModifiers()) && !ALWAYS.contains(method.getName())) {
                    isRefused(
                            () -> called(method, each.getValue()),
                            NO_CONNECTION,
                            "the transaction of this unit of work has ended; use its connection only inside the unit");
                }
            }
        }
    }

    /** Calls a method with meaningless arguments. */
    private static @Nullable Object called(Method method, Object on) throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            arguments.add(
                    switch (type.getName()) {
                        case "boolean" -> false;
                        case "byte" -> (byte) 0;
                        case "short" -> (short) 0;
                        case "int" -> 0;
                        case "long" -> 0L;
                        case "float" -> 0f;
                        case "double" -> 0d;
                        default -> null;
                    });
        }
        try {
            return method.invoke(on, arguments.toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void what_a_unit_leaves_open_can_be_put_away_when_its_transaction_has_ended() throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        numbers.<Long, Exception>commit(turn -> {
            PreparedStatement prepared = turn.transaction().prepareStatement("SELECT number FROM kept");
            ResultSet row = prepared.executeQuery();
            assertThat(row.isClosed()).isFalse();
            assertThat(prepared.isClosed()).isFalse();
            open.addAll(List.of(row, prepared, turn.transaction()));
            return KEPT.keepNext(turn);
        });
        for (AutoCloseable each : open) {
            assertThat(isClosed(each)).isTrue();
            each.close();
            each.close();
            assertThat(isClosed(each)).isTrue();
        }
    }

    @Test
    void what_a_unit_has_closed_is_closed_at_once() throws Exception {
        numbers.<Long, Exception>commit(turn -> {
            Statement statement = turn.transaction().createStatement();
            statement.close();
            assertThat(statement.isClosed()).isTrue();
            return 0L;
        });
    }

    private static boolean isClosed(AutoCloseable made) throws SQLException {
        if (made instanceof Connection connection) {
            return connection.isClosed();
        }
        return made instanceof ResultSet row ? row.isClosed() : ((Statement) made).isClosed();
    }

    @Test
    void what_a_unit_leaks_changes_nothing_later() throws Exception {
        List<ThrowingCallable> leaks = new ArrayList<>();
        numbers.<Long, Exception>commit(turn -> {
            Connection connection = turn.transaction();
            PreparedStatement batch = connection.prepareStatement("INSERT INTO kept VALUES (77)");
            batch.addBatch();
            leaks.add(batch::executeLargeBatch);
            ResultSet row = connection
                    .createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE)
                    .executeQuery("SELECT number FROM kept");
            assertThat(row.next()).isTrue();
            leaks.add(row::deleteRow);
            return KEPT.keepNext(turn);
        });
        leaks.forEach(leak -> isRefused(leak, NO_CONNECTION, "has ended"));
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void a_unit_that_throws_has_its_connection_taken_away_as_well() {
        List<Connection> late = new ArrayList<>();
        assertThatThrownBy(() -> numbers.<Long, Exception>commit(turn -> {
                    late.add(turn.transaction());
                    throw new IllegalArgumentException("refused");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        isRefused(() -> late.get(0).createStatement(), NO_CONNECTION, "has ended");
    }

    @Test
    void what_the_driver_throws_reaches_the_unit_as_it_was_thrown() throws Exception {
        List<Throwable> thrown = new ArrayList<>(List.of(
                new SQLException("no", "42000"),
                new NoClassDefFoundError("for/the/Test"),
                new IllegalStateException("no"),
                new SQLException("no", "42000"),
                new NoClassDefFoundError("for/the/Test"),
                new IllegalStateException("no")));
        List<Throwable> next = new ArrayList<>(thrown);
        sequences.close();
        store.close();
        open(JdbcStore.open(over(Map.of(
                "nativeSQL",
                (real, arguments) -> {
                    throw next.remove(0);
                },
                "setMaxRows",
                (real, arguments) -> {
                    throw next.remove(0);
                }))));
        numbers.<Long, Exception>commit(turn -> {
            Connection connection = turn.transaction();
            try (Statement statement = connection.createStatement()) {
                for (Throwable each : thrown.subList(0, 3)) {
                    assertThat(catchThrowable(() -> connection.nativeSQL("SELECT 1")))
                            .isSameAs(each);
                }
                for (Throwable each : thrown.subList(3, 6)) {
                    assertThat(catchThrowable(() -> statement.setMaxRows(1))).isSameAs(each);
                }
            }
            return 0L;
        });
    }

    @Test
    void what_is_put_away_late_and_fails_leaves_the_connection_to_whoever_has_it_now() throws Exception {
        database = Engine.SQLITE.freshDatabase();
        database.execute(KEPT.create());
        sequences.close();
        store.close();
        List<Object> late = new ArrayList<>();
        open(JdbcStore.open(over(Map.of(
                "clearWarnings",
                (real, arguments) -> {
                    late.add(real);
                    return null;
                },
                "isClosed",
                (real, arguments) -> {
                    throw new SQLException("no", "42000");
                },
                "close",
                (real, arguments) -> {
                    if (real instanceof Statement && late.contains(real)) {
                        throw new SQLException("no", "42000");
                    }
                    return null;
                }))));
        store.create(SequenceDefinition.of("s"));
        List<Statement> open = new ArrayList<>();
        numbers.<Long, Exception>commit(turn -> {
            turn.transaction().clearWarnings();
            open.add(turn.transaction().createStatement());
            open.get(0).clearWarnings();
            return KEPT.keepNext(turn);
        });
        Connection others = (Connection) late.get(0);
        assertThat(others.getAutoCommit()).isTrue();
        assertThatThrownBy(() -> open.get(0).close()).hasMessage("no");
        assertThat(others.getAutoCommit()).isTrue();
        others.close();
    }

    @FunctionalInterface
    private interface Call {
        @Nullable
        Object on(Object real, @Nullable Object @Nullable [] arguments) throws Throwable;
    }

    /** Wraps the database; replaces some calls to connections and to statements that they create. */
    private javax.sql.DataSource over(Map<String, Call> calls) {
        return DriverProxy.of(
                javax.sql.DataSource.class,
                (self, method, arguments) -> through(method.invoke(database.dataSource(), arguments), calls));
    }

    private static @Nullable Object through(@Nullable Object made, Map<String, Call> calls) {
        if (made instanceof Connection connection) {
            return through(Connection.class, connection, calls);
        }
        return made instanceof Statement statement && !(made instanceof PreparedStatement)
                ? through(Statement.class, statement, calls)
                : made;
    }

    private static <T> T through(Class<T> type, T real, Map<String, Call> calls) {
        return DriverProxy.of(type, (self, method, arguments) -> {
            Call call = calls.get(method.getName());
            return call == null ? through(method.invoke(real, arguments), calls) : call.on(real, arguments);
        });
    }

    /** Runs a unit that begins with a number that it stores, in a database of its own. */
    private void on(Engine engine, Work work) throws Exception {
        sequences.close();
        store.close();
        database = engine.freshDatabase();
        create();
        numbers.<Long, Exception>commit(turn -> {
            work.run(turn, turn.transaction());
            return KEPT.keepNext(turn);
        });
    }

    @FunctionalInterface
    private interface Work {
        void run(Turn<Connection> turn, Connection connection) throws Exception;
    }

    private void isGone(ThrowingCallable call) {
        isRefused(
                call,
                NO_SAVEPOINT,
                "this savepoint does not belong to this unit of work or no longer exists: the unit has released it, rolled back beyond it, set"
                        + " another one with its name, or executed a savepoint statement; roll back to an existing one");
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2"})
    void a_savepoint_takes_numbers_and_rows_back_as_often_as_it_is_gone_back_to(Engine engine) throws Exception {
        on(engine, (turn, connection) -> {
            KEPT.keepNext(turn);
            Savepoint unnamed = connection.setSavepoint();
            KEPT.keepNext(turn);
            Savepoint named = connection.setSavepoint("here");
            for (int i = 0; i < 2; i++) {
                assertThat(KEPT.keepNext(turn)).isEqualTo(3);
                connection.rollback(named);
            }
            for (int i = 0; i < 2; i++) {
                connection.rollback(unnamed);
                assertThat(KEPT.keepNext(turn)).isEqualTo(2);
            }
        });
        assertThat(kept()).containsExactly(0L, 1L, 2L, 3L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2"})
    void a_savepoint_is_gone_when_it_is_released_itself_or_with_one_around_it(Engine engine) throws Exception {
        on(engine, (turn, connection) -> {
            Savepoint first = connection.setSavepoint();
            KEPT.keepNext(turn);
            connection.setSavepoint("here");
            KEPT.keepNext(turn);
            Savepoint outer = connection.setSavepoint("around");
            Savepoint inner = connection.setSavepoint("here");
            Savepoint last = connection.setSavepoint();
            KEPT.keepNext(turn);
            connection.releaseSavepoint(last);
            isGone(() -> connection.rollback(last));
            isGone(() -> connection.releaseSavepoint(last));
            connection.rollback(inner);
            connection.releaseSavepoint(outer);
            isGone(() -> connection.rollback(inner));
            isGone(() -> connection.rollback(outer));
            connection.rollback(first);
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2"})
    void a_savepoint_is_gone_when_the_unit_has_gone_back_beyond_it_or_made_another_of_its_name(Engine engine)
            throws Exception {
        on(engine, (turn, connection) -> {
            isGone(() -> connection.rollback(null));
            isGone(() -> connection.releaseSavepoint(null));
            Savepoint before = connection.setSavepoint();
            Savepoint passed = connection.setSavepoint();
            connection.rollback(before);
            isGone(() -> connection.rollback(passed));
            isGone(() -> connection.releaseSavepoint(passed));
            Savepoint older = connection.setSavepoint("here");
            KEPT.keepNext(turn);
            Savepoint newer = connection.setSavepoint("HERE"); // equal on some engines
            KEPT.keepNext(turn);
            isGone(() -> connection.rollback(older));
            connection.rollback(newer);
            connection.rollback(before);
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2"})
    void a_statement_about_savepoints_leaves_the_ways_back_to_those_without_a_name(Engine engine) throws Exception {
        on(engine, (turn, connection) -> {
            Savepoint unnamed = connection.setSavepoint();
            Savepoint named = connection.setSavepoint("here");
            KEPT.keepNext(turn);
            execute(connection, "SAVEPOINT other");
            isGone(() -> connection.rollback(named));
            connection.rollback(unnamed);
            Savepoint later = connection.setSavepoint("later");
            KEPT.keepNext(turn);
            connection.rollback(later);
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2"})
    void no_name_leads_back_once_a_statement_about_savepoints_is_prepared_which_may_run_at_any_time(Engine engine)
            throws Exception {
        on(engine, (turn, connection) -> {
            try (Statement batch = connection.createStatement()) {
                batch.addBatch("SAVEPOINT other");
                Savepoint named = connection.setSavepoint("here");
                Savepoint unnamed = connection.setSavepoint();
                KEPT.keepNext(turn);
                isGone(() -> connection.rollback(named));
                connection.rollback(unnamed);
            }
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROLLBACK TO here", "RELEASE other"})
    void a_statement_about_savepoints_need_not_say_so(String sql) throws Exception {
        on(Engine.SQLITE, (turn, connection) -> {
            execute(connection, "SAVEPOINT other");
            Savepoint named = connection.setSavepoint("here");
            execute(connection, sql);
            isGone(() -> connection.rollback(named));
        });
    }

    @Test
    void a_statement_about_anything_else_leaves_every_way_back() throws Exception {
        on(Engine.H2, (turn, connection) -> {
            Savepoint named = connection.setSavepoint("here");
            KEPT.keepNext(turn);
            execute(connection, "CALL 1");
            connection.rollback(named);
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void a_name_that_is_not_seen_any_more_is_seen_again_in_the_next_turn() throws Exception {
        on(Engine.H2, (turn, connection) -> {
            connection.prepareStatement("SAVEPOINT other").close();
            Savepoint named = connection.setSavepoint("here");
            isGone(() -> connection.rollback(named));
        });
        numbers.<Long, Exception>commit(turn -> {
            Savepoint named = turn.transaction().setSavepoint("here");
            turn.transaction().rollback(named);
            return 0L;
        });
    }

    private static final String NO_WAY_BACK =
            "a unit of work must not roll back in SQL after a draw, or in a batch or prepared statement, since a"
                    + " number could outlive its row; use Turn.mark and undo, or Connection.setSavepoint and rollback";

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2"})
    void a_statement_goes_back_as_long_as_the_unit_holds_no_number(Engine engine) throws Exception {
        on(engine, (turn, connection) -> {
            execute(connection, "SAVEPOINT here");
            KEPT.keep(connection, 77);
            execute(connection, "ROLLBACK TO SAVEPOINT here");
            Savepoint before = connection.setSavepoint();
            KEPT.keepNext(turn);
            isRefused(() -> execute(connection, "ROLLBACK TO SAVEPOINT here"), NO_END, NO_WAY_BACK);
            connection.rollback(before);
            execute(connection, "ROLLBACK TO SAVEPOINT here");
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void a_statement_goes_back_to_a_savepoint_that_was_made_by_a_call() throws Exception {
        on(Engine.SQLITE, (turn, connection) -> {
            connection.setSavepoint("here");
            KEPT.keep(connection, 77);
            execute(connection, "ROLLBACK TO here");
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ROLLBACK TO here", "rollback transaction to savepoint here", "RELEASE here; ROLLBACK TO here"})
    void a_statement_does_not_go_back_in_a_unit_that_has_set_no_savepoint(String sql) throws Exception {
        on(Engine.H2, (turn, connection) -> {
            connection.setSavepoint();
            isGone(() -> execute(connection, sql));
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void a_statement_that_goes_back_cannot_be_prepared_nor_be_a_part_of_a_batch() throws Exception {
        on(Engine.H2, (turn, connection) -> {
            connection.setSavepoint("here");
            String sql = "ROLLBACK TO SAVEPOINT \"here\"";
            isRefused(() -> connection.prepareStatement(sql), NO_END, NO_WAY_BACK);
            isRefused(() -> connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY), NO_END, NO_WAY_BACK);
            isRefused(() -> connection.prepareCall(sql), NO_END, NO_WAY_BACK);
            try (Statement statement = connection.createStatement()) {
                isRefused(() -> statement.addBatch(sql), NO_END, NO_WAY_BACK);
            }
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void every_way_to_run_a_text_refuses_one_that_goes_back() throws Exception {
        on(Engine.H2, (turn, connection) -> {
            String sql = "ROLLBACK TO SAVEPOINT here";
            execute(connection, "SAVEPOINT here");
            KEPT.keepNext(turn);
            try (Statement statement = connection.createStatement()) {
                isRefused(() -> statement.execute(sql), NO_END, NO_WAY_BACK);
                isRefused(() -> statement.execute(sql, Statement.NO_GENERATED_KEYS), NO_END, NO_WAY_BACK);
                isRefused(() -> statement.executeQuery(sql), NO_END, NO_WAY_BACK);
                isRefused(() -> statement.executeUpdate(sql), NO_END, NO_WAY_BACK);
                isRefused(() -> statement.executeLargeUpdate(sql), NO_END, NO_WAY_BACK);
            }
        });
        assertThat(kept()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void a_way_back_that_was_refused_has_cost_nothing() throws Exception {
        on(Engine.SQLITE, (turn, connection) -> {
            Savepoint here = connection.setSavepoint("here");
            KEPT.keepNext(turn);
            isRefused(() -> execute(connection, "ROLLBACK TO here"), NO_END, NO_WAY_BACK);
            connection.rollback(here); // as the error advises
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }

    @Test
    void an_undone_part_of_a_unit_takes_its_savepoints_with_it() throws Exception {
        on(Engine.H2, (turn, connection) -> {
            Turn.Mark mark = turn.mark();
            KEPT.keepNext(turn);
            Savepoint inside = connection.setSavepoint();
            mark.undo();
            isGone(() -> connection.rollback(inside));
        });
        assertThat(kept()).containsExactly(0L, 1L);
    }
}
