// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Borrowed connections keep their owner's transaction and are returned unchanged. */
class BorrowedConnectionsTest {

    private static final String[] ENGINES = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"};

    private static NumberColumn kept(Engine engine) {
        return engine == Engine.H2
                ? new NumberColumn(ColumnName.of("KEPT", "N"), Optional.empty(), OptionalLong.empty())
                : new NumberColumn(ColumnName.of("kept", "n"), Optional.empty(), OptionalLong.empty());
    }

    static Stream<Engine> engines() {
        return Stream.of(ENGINES).map(Engine::valueOf);
    }

    /** The operations of a store whose data source is in a transaction. */
    private enum Question {
        DESCRIBE {
            @Override
            void ask(JdbcStore store) {
                store.describe("s");
            }
        },
        LIST {
            @Override
            void ask(JdbcStore store) {
                store.list();
            }
        },
        RESERVE {
            @Override
            void ask(JdbcStore store) {
                store.reserve("s", 1);
            }
        },
        RAISE {
            @Override
            void ask(JdbcStore store) {
                store.raise("s", 100);
            }
        },
        SCOPE {
            @Override
            void ask(JdbcStore store) {
                store.inTransaction(connection -> 1);
            }
        },
        BEGIN {
            @Override
            void ask(JdbcStore store) {
                store.begin("s").rollback();
            }
        };

        abstract void ask(JdbcStore store);
    }

    static Stream<Arguments> questions() {
        return engines()
                .flatMap(engine -> Stream.of(Question.values()).map(question -> Arguments.of(engine, question)));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void springs_transaction_is_not_ended_by_what_a_store_is_asked_inside_it(Engine engine, Question question)
            throws SQLException {
        DataSource source = fresh(engine).dataSource();
        JdbcStore store = JdbcStore.open(new TransactionAwareDataSourceProxy(source));
        store.create(SequenceDefinition.of("s"));
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        transactions.executeWithoutResult(status -> {
            insert(DataSourceUtils.getConnection(source), 1);
            assertThatThrownBy(() -> question.ask(store))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContainingAll("an open transaction of the caller", "TransactionAwareDataSourceProxy");
            status.setRollbackOnly();
        });
        assertThat(rows(source)).isZero();
        transactions.executeWithoutResult(status -> {
            insert(DataSourceUtils.getConnection(source), 2);
            assertThatThrownBy(() -> question.ask(store)).isInstanceOf(Misconfigured.class);
            insert(DataSourceUtils.getConnection(source), 3);
        });
        assertThat(rows(source)).isEqualTo(2);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void springs_transaction_is_not_ended_by_opening_a_store_inside_it(Engine engine) throws SQLException {
        DataSource source = fresh(engine).dataSource();
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        transactions.executeWithoutResult(status -> {
            insert(DataSourceUtils.getConnection(source), 1);
            assertThatThrownBy(() -> JdbcStore.open(new TransactionAwareDataSourceProxy(source)))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("an open transaction of the caller");
            status.setRollbackOnly();
        });
        assertThat(rows(source)).isZero();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void what_a_transaction_has_only_read_or_locked_stays_as_it_is(Engine engine) throws SQLException {
        Database database = fresh(engine);
        database.execute("INSERT INTO kept VALUES (1)");
        DataSource source = database.dataSource();
        JdbcStore store = JdbcStore.open(new TransactionAwareDataSourceProxy(source));
        store.create(SequenceDefinition.of("s"));
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        String lock = engine == Engine.SQLITE ? "SELECT n FROM kept" : "SELECT n FROM kept FOR UPDATE";
        transactions.executeWithoutResult(status -> {
            execute(DataSourceUtils.getConnection(source), lock);
            assertThatThrownBy(() -> store.describe("s")).isInstanceOf(Misconfigured.class);
        });
    }

    @ParameterizedTest
    @MethodSource("engines")
    void a_transaction_that_has_done_nothing_yet_is_as_it_was_afterwards(Engine engine) throws SQLException {
        DataSource source = fresh(engine).dataSource();
        DataSource lazy = new LazyConnectionDataSourceProxy(source);
        JdbcStore store = JdbcStore.open(new TransactionAwareDataSourceProxy(lazy));
        store.create(SequenceDefinition.of("s"));
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(lazy));
        transactions.executeWithoutResult(status -> {
            assertThat(store.describe("s").nextValue()).isEqualTo(1);
            insert(DataSourceUtils.getConnection(lazy), 1);
            status.setRollbackOnly();
        });
        assertThat(rows(source)).isZero();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void the_only_connection_of_a_data_source_keeps_its_transaction(Engine engine) throws SQLException {
        Database database = fresh(engine);
        try (Connection only = database.connect()) {
            JdbcStore store = JdbcStore.open(new SingleConnectionDataSource(only, true));
            store.create(SequenceDefinition.of("s"));
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
            only.setAutoCommit(false);
            insert(only, 1);
            assertThatThrownBy(() -> store.reserve("s", 1))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("an open transaction of the caller");
            only.rollback();
            only.setAutoCommit(true);
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(2);
        }
        assertThat(rows(database.dataSource())).isZero();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void a_pool_without_auto_commit_works_as_one_with_it(Engine engine) throws SQLException {
        Database database = fresh(engine);
        for (boolean automatic : new boolean[] {true, false}) {
            try (HikariDataSource pool = pool(database, automatic, 2)) {
                JdbcStore store = JdbcStore.open(pool);
                String name = "s" + automatic;
                store.create(SequenceDefinition.of(name));
                assertThat(store.reserve(name, 1).block().first()).isEqualTo(1);
                try (StoreSequences sequences =
                        StoreSequences.builder(store).giveBackOnClose(true).build()) {
                    assertThat(sequences.open(name, Allocation.batch(10)).next())
                            .isEqualTo(2);
                    GroupedSequence<Connection> grouped = sequences.grouped(name + "g", store);
                    store.create(SequenceDefinition.of(name + "g"));
                    assertThat(grouped.<Long, RuntimeException>commit(turn -> turn.next()))
                            .isEqualTo(1);
                }
                assertThat(store.describe(name).nextValue()).isEqualTo(3);
                assertThatThrownBy(() -> store.describe("none")).isInstanceOf(NotFound.class);
                assertThat(store.list()).isNotEmpty();
                store.scan(name, kept(engine), state -> new Blind());
                assertThat(store.alter(name, d -> d.toBuilder().cache(7).build())
                                .definition()
                                .cache())
                        .isEqualTo(7);
                for (int i = 0; i < 2; i++) {
                    try (Connection mine = pool.getConnection()) {
                        assertThat(mine.getAutoCommit()).isEqualTo(automatic);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void the_settings_of_a_connection_are_as_they_were(Engine engine) throws SQLException {
        Database database = fresh(engine);
        for (boolean automatic : new boolean[] {true, false}) {
            try (Connection only = database.connect()) {
                only.setAutoCommit(automatic);
                int level = only.getTransactionIsolation();
                JdbcStore store = JdbcStore.open(new SingleConnectionDataSource(only, true));
                String name = "t" + automatic;
                store.create(SequenceDefinition.of(name));
                store.reserve(name, 5);
                store.scan(name, kept(engine), state -> new Blind());
                assertThatThrownBy(() -> store.scan("none", kept(engine), state -> new Blind()))
                        .isInstanceOf(NotFound.class);
                assertThat(only.getAutoCommit()).isEqualTo(automatic);
                assertThat(only.getTransactionIsolation()).isEqualTo(level);
                assertThat(only.isReadOnly()).isFalse();
            }
        }
    }

    static Stream<Arguments> failures() {
        return engines()
                .flatMap(engine -> Stream.<Supplier<Exception>>of(
                                () -> new SQLException("rollback timed out"),
                                () -> new IllegalStateException("rollback is broken"))
                        .map(failure -> Arguments.of(engine, failure)));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void a_unit_is_not_committed_when_it_cannot_be_rolled_back(Engine engine, Supplier<Exception> failure)
            throws SQLException {
        Database database = fresh(engine);
        FailingConnections failing = new FailingConnections();
        JdbcStore store = JdbcStore.open(failing.over(database.dataSource()));
        store.create(SequenceDefinition.of("s"));
        try (StoreSequences sequences = StoreSequences.of(store)) {
            GroupedSequence<Connection> grouped = sequences.grouped("s", store);
            assertThatThrownBy(() -> grouped.commit(turn -> {
                        insert(turn.transaction(), turn.next());
                        failing.failNext("rollback", failure);
                        throw new IllegalStateException("refused");
                    }))
                    .hasMessage("refused");
            assertThat(grouped.<Long, RuntimeException>commit(turn -> turn.next()))
                    .isEqualTo(1);
        }
        assertThat(failing.failed("rollback")).isTrue();
        assertThat(rows(database.dataSource())).isZero();
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void work_in_a_scope_is_not_committed_when_it_cannot_be_rolled_back(Engine engine, Supplier<Exception> failure)
            throws SQLException {
        Database database = fresh(engine);
        FailingConnections failing = new FailingConnections();
        try (HikariDataSource pool = pool(database, true, 2)) {
            JdbcStore store = JdbcStore.open(failing.over(pool));
            store.create(SequenceDefinition.of("s"));
            for (int i = 0; i < 4; i++) {
                assertThatThrownBy(() -> store.inTransaction(connection -> {
                            insert(connection, 1);
                            failing.failNext("rollback", failure);
                            throw new IllegalStateException("refused");
                        }))
                        .hasMessage("refused");
                assertThat(rows(database.dataSource())).isZero();
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void what_is_committed_counts_when_the_connection_fails_on_its_way_back(Engine engine) throws SQLException {
        Database database = fresh(engine);
        FailingConnections failing = new FailingConnections();
        try (HikariDataSource pool = pool(database, true, 2)) {
            JdbcStore store = JdbcStore.open(failing.over(pool));
            store.create(SequenceDefinition.of("s"));
            failing.failNext("close", () -> new SQLException("close failed"));
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
            failing.failNext("close", () -> new IllegalStateException("close failed"));
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(2);
        }
        try (HikariDataSource pool = pool(database, false, 2)) {
            JdbcStore store = JdbcStore.open(failing.over(pool));
            failing.failNext("setAutoCommit(false)");
            store.describe("s");
            assertThat(failing.failed("setAutoCommit(false)")).isTrue();
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void nothing_changes_a_connection_that_is_in_auto_commit_mode_for_a_query(Engine engine) throws SQLException {
        FailingConnections watched = new FailingConnections();
        JdbcStore store = JdbcStore.open(watched.over(fresh(engine).dataSource()));
        store.create(SequenceDefinition.of("s"));
        int before = watched.calls().size();
        store.describe("s");
        store.list();
        // With the present value, which shows whether SQL text has begun a transaction, and with the wait for an
        // answer.
        assertThat(watched.calls().subList(before, watched.calls().size()))
                .allMatch(Set.of("setReadOnly", "setNetworkTimeout")::contains);
    }

    private static final class Blind implements ColumnScanner.Visitor {
        @Override
        public void withoutNumber(long rows) {}

        @Override
        public void number(long number) {}

        @Override
        public void inTime(long number, Supplier<String> time) {}
    }

    private static Database fresh(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE kept (n BIGINT)");
        return database;
    }

    private static HikariDataSource pool(Database database, boolean automatic, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setAutoCommit(automatic);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    private static long rows(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("SELECT COUNT(*) FROM kept")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void insert(Connection connection, long number) {
        execute(connection, "INSERT INTO kept VALUES (" + number + ")");
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
