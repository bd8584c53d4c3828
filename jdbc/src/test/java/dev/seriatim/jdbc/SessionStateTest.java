// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.Turn;
import dev.seriatim.jdbc.sql.WatchedConnection;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What one user's code leaves on a connection decides about nobody else's draws. */
class SessionStateTest {

    /** A statement that changes a session, and a query that shows the change. */
    private record Setting(String change, String query) {
        static Setting of(Engine engine) {
            return switch (engine) {
                case POSTGRESQL -> new Setting("SET statement_timeout = 77777", "SHOW statement_timeout");
                case SQLITE -> new Setting("PRAGMA cache_size = 777", "PRAGMA cache_size");
                case H2 -> new Setting("SET LOCK_TIMEOUT 77777", "SELECT LOCK_TIMEOUT()");
                default -> new Setting("SET SESSION sql_select_limit = 77777", "SELECT @@sql_select_limit");
            };
        }
    }

    private static HikariDataSource pool(Database database, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2", "SQLITE"})
    void what_a_unit_sets_is_gone_for_the_next_one(Engine engine) throws SQLException {
        Setting setting = Setting.of(engine);
        String url = engine.freshDatabase().url();
        try (JdbcSequences sequences = JdbcSequences.open(url)) {
            GroupedSequence<Connection> grouped = sequences.gapless("s").grouped();
            String fresh = sequences.inTransaction(connection -> text(connection, setting.query()));
            sequences.inTransaction(connection -> {
                execute(connection, setting.change());
                return 1;
            });
            assertThat(sequences.<String, SQLException>inTransaction(connection -> text(connection, setting.query())))
                    .isEqualTo(fresh);
            grouped.<Long, SQLException>commit(turn -> {
                execute(turn.transaction(), setting.change());
                return turn.next();
            });
            assertThat(grouped.<String, SQLException>commit(turn -> text(turn.transaction(), setting.query())))
                    .isEqualTo(fresh);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void units_of_plain_statements_share_a_connection_that_reservations_never_get(Engine engine) throws SQLException {
        String session = engine == Engine.POSTGRESQL ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        try (JdbcSequences sequences = JdbcSequences.open(engine.freshDatabase().url())) {
            GaplessSequence<Connection> gapless = sequences.gapless("s");
            Sequence unique = sequences.open("u", Allocation.async());
            GroupedSequence<Connection> grouped = gapless.grouped();
            String first = sequences.inTransaction(connection -> text(connection, session));
            for (int i = 0; i < 5; i++) {
                unique.next();
                assertThat(sequences.<String, SQLException>inTransaction(connection -> {
                            gapless.next(connection);
                            connection.setSavepoint();
                            return text(connection, "/* a */ " + session);
                        }))
                        .isEqualTo(first);
                assertThat(grouped.<String, SQLException>commit(turn -> {
                            turn.next();
                            return text(turn.transaction(), session);
                        }))
                        .isEqualTo(first);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void pooled_draws_that_meet_numbers_of_others_keep_their_connections(Engine engine) throws Exception {
        String session = engine == Engine.POSTGRESQL ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        int threads = 8;
        Set<String> sessions = ConcurrentHashMap.newKeySet();
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try (JdbcSequences sequences = JdbcSequences.open(engine.freshDatabase().url())) {
            PooledSequence<Connection> pooled = sequences.gapless("s").pooled();
            // The first 256 draws search, and so meet none.
            Callable<Boolean> draw = () -> sequences.<Boolean, SQLException>inTransaction(connection -> {
                pooled.next(connection);
                return sessions.add(text(connection, session));
            });
            for (Future<Boolean> drawn : callers.invokeAll(Collections.nCopies(2_000, draw))) {
                drawn.get();
            }
        } finally {
            callers.shutdown();
        }
        assertThat(sessions).hasSizeLessThanOrEqualTo(threads);
    }

    @Test
    void a_connection_on_which_a_draw_has_met_an_Error_of_the_driver_is_not_used_again() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        AtomicBoolean fails = new AtomicBoolean();
        DataSource source = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection real = database.connect();
                return WatchedConnection.proxy(Connection.class, (self, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && fails.getAndSet(false)) {
                        throw new AssertionError("of the driver");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
        String session = "SELECT pg_backend_pid()";
        try (JdbcSequences sequences = JdbcSequences.keeping(source, 1, settings -> {})) {
            GaplessSequence<Connection> gapless = sequences.gapless("s");
            GroupedSequence<Connection> grouped = gapless.grouped();
            String first = sequences.inTransaction(connection -> {
                gapless.next(connection);
                fails.set(true);
                assertThatThrownBy(() -> gapless.next(connection)).isInstanceOf(AssertionError.class);
                return text(connection, session);
            });
            String second = sequences.inTransaction(connection -> text(connection, session));
            assertThat(second).isNotEqualTo(first);
            fails.set(true);
            // Another thread begins the group on another connection, unless the failed one was idle for long.
            Throwable thrown = catchThrowable(() -> grouped.commit(Turn::next));
            assertThat(thrown == null || thrown instanceof AssertionError)
                    .as("%s", thrown)
                    .isTrue();
            assertThat(fails).isFalse();
            assertThat(sequences.<String, SQLException>inTransaction(connection -> text(connection, session)))
                    .isNotEqualTo(second);
        }
    }

    @Test
    void a_function_that_changes_the_session_fails_one_draw_at_most() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE FUNCTION harmless() RETURNS TEXT LANGUAGE SQL AS"
                + " $$ SELECT set_config('default_transaction_read_only', 'on', false) $$");
        try (JdbcSequences sequences = JdbcSequences.open(database.url())) {
            GaplessSequence<Connection> gapless = sequences.gapless("s");
            Sequence unique = sequences.open("u", Allocation.async());
            sequences.inTransaction(connection -> text(connection, "SELECT harmless()"));
            assertThat(unique.next()).isEqualTo(1);
            assertThatThrownBy(() -> sequences.inTransaction(gapless::next)).isInstanceOf(Unavailable.class);
            assertThat(sequences.<Long, RuntimeException>inTransaction(gapless::next))
                    .isEqualTo(1);
            GroupedSequence<Connection> grouped = gapless.grouped();
            grouped.<String, SQLException>commit(turn -> text(turn.transaction(), "SELECT harmless()"));
            Throwable thrown = catchThrowable(() -> grouped.commit(Turn::next));
            assertThat(thrown == null || thrown instanceof Unavailable)
                    .as("%s", thrown)
                    .isTrue();
            assertThat(grouped.<Long, RuntimeException>commit(Turn::next)).isEqualTo(thrown == null ? 3 : 2);
        }
    }

    @Test
    void the_stores_own_commits_are_durable_on_connections_on_which_someone_has_switched_that_off()
            throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (HikariDataSource pool = pool(database, 1)) {
            JdbcStore store = JdbcStore.open(pool);
            store.install();
            database.execute(
                    "CREATE FUNCTION at_commit() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN"
                            + " IF current_setting('synchronous_commit') = 'off' THEN RAISE 'not durable'; END IF; RETURN NULL; END $$",
                    "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT OR UPDATE ON seriatim_sequence"
                            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_commit()");
            try (Connection connection = pool.getConnection()) {
                execute(connection, "SET synchronous_commit = off");
            }
            try (JdbcSequences sequences = JdbcSequences.over(store, settings -> {})) {
                for (Allocation mode : List.of(Allocation.async(), Allocation.combined(), Allocation.batch(2))) {
                    Sequence sequence = sequences.open(mode.getClass().getSimpleName(), mode);
                    assertThat(sequence.next(4).count()).isEqualTo(4);
                    assertThat(sequence.next(4).count()).isEqualTo(4);
                }
                GroupedSequence<Connection> grouped =
                        sequences.gapless("grouped").grouped();
                for (long number = 1; number <= 4; number++) {
                    assertThat(grouped.<Long, RuntimeException>commit(turn -> turn.next()))
                            .isEqualTo(number);
                }
                store.raise("grouped", 100);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(text(connection, "SHOW synchronous_commit")).isEqualTo("off"); // theirs
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2", "SQLITE"})
    void a_transaction_that_sql_text_has_begun_is_refused_and_not_ended(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE kept (n INT)");
        try (HikariDataSource pool = pool(database, 1);
                JdbcSequences sequences = JdbcSequences.borrowing(pool, settings -> {})) {
            Map<String, Sequence> all = Map.of(
                    "async", sequences.open("async", Allocation.async()),
                    "batch", sequences.open("batch", Allocation.batch(2)),
                    "ordered", sequences.ordered("ordered"));
            GroupedSequence<Connection> grouped = sequences.gapless("grouped").grouped();
            all.values().forEach(sequence -> assertThat(sequence.next()).isEqualTo(1));
            try (Connection connection = pool.getConnection()) {
                execute(connection, engine.name().matches("MARIADB|MYSQL") ? "START TRANSACTION" : "BEGIN");
                execute(connection, "INSERT INTO kept VALUES (1)");
            }
            all.values()
                    .forEach(sequence -> assertThatThrownBy(() -> sequence.next(3))
                            .isInstanceOf(Misconfigured.class)
                            .hasMessageContaining("transaction"));
            assertThatThrownBy(() -> grouped.commit(turn -> turn.next())).isInstanceOf(Misconfigured.class);
            assertThatThrownBy(() -> sequences.inTransaction(connection -> 1)).isInstanceOf(Misconfigured.class);
            try (Connection connection = pool.getConnection()) {
                execute(connection, "ROLLBACK");
                connection.setAutoCommit(true);
                assertThat(text(connection, "SELECT COUNT(*) FROM kept")).isEqualTo("0");
            }
            all.values().forEach(sequence -> assertThat(sequence.next()).isGreaterThan(1));
            assertThat(grouped.<Long, RuntimeException>commit(turn -> turn.next()))
                    .isEqualTo(1);
        }
    }

    private record Branch(byte number) implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {number, 1};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {number};
        }
    }

    @Test
    void the_first_statement_of_a_jta_transaction_draws_a_gapless_number() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute("CREATE TABLE bill (n BIGINT PRIMARY KEY)");
        MariaDbDataSource source = new MariaDbDataSource(database.url());
        try (JdbcSequences sequences = JdbcSequences.open(source)) {
            GaplessSequence<Connection> numbers = sequences.gapless("bill");
            XAConnection managed = source.getXAConnection();
            try {
                Connection connection = managed.getConnection();
                assertThatThrownBy(() -> numbers.next(connection))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("JTA");
                for (byte branch = 1; branch <= 3; branch++) {
                    Xid xid = new Branch(branch);
                    managed.getXAResource().start(xid, XAResource.TMNOFLAGS);
                    execute(connection, "INSERT INTO bill VALUES (" + numbers.next(connection) + ")");
                    assertThatThrownBy(() -> JdbcSequences.open(new SingleConnectionDataSource(connection, true)))
                            .isInstanceOf(Misconfigured.class)
                            .hasMessageContaining("outside JTA");
                    managed.getXAResource().end(xid, XAResource.TMSUCCESS);
                    if (branch == 2) {
                        managed.getXAResource().rollback(xid);
                    } else {
                        managed.getXAResource().commit(xid, true);
                    }
                }
            } finally {
                managed.close();
            }
        }
        assertThat(database.number("SELECT SUM(n) FROM bill")).isEqualTo(3);
    }

    @Test
    void a_character_set_that_someone_has_left_creates_no_second_sequence() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        String name = "na\u00efve";
        try (JdbcSequences sequences = JdbcSequences.open(database.url());
                HikariDataSource pool = pool(database, 1)) {
            assertThat(sequences.ordered(name).next()).isEqualTo(1);
            try (Connection connection = pool.getConnection()) {
                execute(connection, "SET NAMES latin1");
            }
            try (JdbcSequences others = JdbcSequences.borrowing(pool, settings -> {})) {
                assertThatThrownBy(() -> others.ordered(name).next())
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("SET NAMES");
            }
            assertThat(sequences.store().list()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, database", "POSTGRESQL, schema", "MARIADB, database", "H2, database", "SQLITE, database"})
    void a_data_source_that_routes_elsewhere_later_is_refused(Engine engine, String kind) throws SQLException {
        Database here = engine.freshDatabase();
        Database there = engine.freshDatabase();
        if (kind.equals("schema")) {
            here.execute("CREATE SCHEMA tenant");
            there = here.option("currentSchema", "tenant");
        }
        String[] tenant = {"here"};
        Map<String, DataSource> targets = Map.of("here", here.dataSource(), "there", there.dataSource());
        DataSource routing = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return Objects.requireNonNull(targets.get(tenant[0])).getConnection();
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
        JdbcStore store = JdbcStore.open(routing);
        try (JdbcSequences sequences = JdbcSequences.over(store, settings -> {})) {
            Sequence sequence = sequences.open("s", Allocation.async());
            assertThat(sequence.next()).isEqualTo(1);
            tenant[0] = "there";
            assertThatThrownBy(sequence::next)
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("a store belongs to one database");
            tenant[0] = "here";
            assertThat(sequence.next()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "SQLITE"})
    void no_transaction_begins_after_closing(Engine engine) {
        Database database = engine.freshDatabase();
        for (JdbcStore store : List.of(JdbcStore.open(database.dataSource()), (JdbcStore)
                dev.seriatim.store.StoreDriver.open(database.url()))) {
            JdbcSequences sequences = JdbcSequences.over(store, settings -> {});
            sequences.close();
            assertThatThrownBy(() -> sequences.inTransaction(connection -> 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            store.close();
            assertThatThrownBy(() -> store.inTransaction(connection -> 1))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("is closed; open it again");
        }
    }
}
