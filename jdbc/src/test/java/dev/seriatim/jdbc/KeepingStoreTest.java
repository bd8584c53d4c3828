// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** Callers that hold every other connection of the pool draw nevertheless. */
@Tag("long")
class KeepingStoreTest {

    private static final int THREADS = 8;
    private static final int DRAWS = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static HikariDataSource pool(Database database, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    /** The pool as the store finds another make of pool: it cannot know how that connects. */
    private static DataSource unknown(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                KeepingStoreTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("isWrapperFor")) {
                        return false;
                    }
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Each thread holds a connection from before the first draw until after the last. */
    private static List<Long> drawWhileAllIsHeld(HikariDataSource pool, Sequence sequence, int holders)
            throws Exception {
        CyclicBarrier held = new CyclicBarrier(holders);
        ExecutorService threads = Executors.newFixedThreadPool(holders);
        try {
            List<Future<List<Long>>> all = new ArrayList<>();
            for (int i = 0; i < holders; i++) {
                Callable<List<Long>> caller = () -> {
                    try (Connection connection = pool.getConnection()) {
                        held.await(20, TimeUnit.SECONDS);
                        try {
                            List<Long> drawn = new ArrayList<>();
                            for (int draw = 0; draw < DRAWS; draw++) {
                                drawn.add(sequence.next());
                            }
                            assertThat(connection.isValid(1)).isTrue();
                            return drawn;
                        } finally {
                            held.await(20, TimeUnit.SECONDS);
                        }
                    }
                };
                all.add(threads.submit(caller));
            }
            List<Long> drawn = new ArrayList<>();
            for (Future<List<Long>> each : all) {
                drawn.addAll(each.get(30, TimeUnit.SECONDS));
            }
            return drawn;
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void a_store_over_the_pool_itself_keeps_what_it_needs(Engine engine) throws Exception {
        try (HikariDataSource pool = pool(engine.freshDatabase(), THREADS);
                JdbcSequences sequences = JdbcSequences.keeping(unknown(pool), 1, s -> s.patience(PATIENCE))) {
            Sequence sequence = sequences.open("s", Allocation.batch(3));
            assertThat(drawWhileAllIsHeld(pool, sequence, THREADS - 1)).doesNotHaveDuplicates();
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(THREADS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void a_store_over_connections_of_its_own_leaves_the_whole_pool_to_callers(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (HikariDataSource pool = pool(database, THREADS);
                JdbcSequences sequences = JdbcSequences.keeping(database.dataSource(), 2, s -> s.patience(PATIENCE))) {
            for (Allocation mode : List.of(Allocation.batch(3), Allocation.combined(), Allocation.adaptive())) {
                Sequence sequence = sequences.open(mode.getClass().getSimpleName(), mode);
                assertThat(drawWhileAllIsHeld(pool, sequence, THREADS)).doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "4, true", "1, false", "2, false", "4, false"})
    void callers_draw_in_transactions_that_occupy_all_kept_connections(int kept, boolean grouped) throws Exception {
        try (HikariDataSource pool = pool(Engine.POSTGRESQL.freshDatabase(), THREADS);
                JdbcSequences sequences = JdbcSequences.keeping(pool, kept, s -> s.patience(PATIENCE))) {
            Sequence order = sequences.ordered("order_id");
            CyclicBarrier all = new CyclicBarrier(kept);
            ExecutorService threads = Executors.newFixedThreadPool(kept);
            List<Future<Long>> drawn = new ArrayList<>();
            for (int i = 0; i < kept; i++) {
                GaplessSequence<Connection> numbers = sequences.gapless("invoice_" + i);
                Callable<Long> draw = () -> {
                    all.await(20, TimeUnit.SECONDS);
                    return order.next();
                };
                drawn.add(threads.submit(() -> grouped
                        ? numbers.grouped().<Long, Exception>commit(turn -> draw.call())
                        : sequences.<Long, Exception>inTransaction(connection -> draw.call())));
            }
            List<Long> values = new ArrayList<>();
            for (Future<Long> each : drawn) {
                values.add(each.get(30, TimeUnit.SECONDS));
            }
            assertThat(values).hasSize(kept).doesNotHaveDuplicates();
            threads.shutdown();
        }
    }

    @Test
    void connections_beside_a_pool_have_its_url_account_schema_and_statement() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA numbers");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.addDataSourceProperty("ApplicationName", "beside");
        config.setSchema("numbers");
        config.setConnectionInitSql("SET extra_float_digits = 0");
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection held = pool.getConnection();
                JdbcSequences sequences = JdbcSequences.keeping(pool, 1, s -> s.patience(PATIENCE))) {
            assertThat(sequences.unique("s").next()).isEqualTo(1);
            assertThat(text(held, "SELECT count(*) FROM numbers.seriatim_sequence"))
                    .isEqualTo("1");
            assertThat(text(held, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'beside'"))
                    .isEqualTo("2");
            assertThat(sequences.<String, SQLException>inTransaction(own -> text(own, "SHOW extra_float_digits")))
                    .isEqualTo("0");
        }
    }

    @Test
    void beside_a_pool_that_makes_its_data_source_by_the_name_of_a_class() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA numbers");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSourceClassName("org.postgresql.ds.PGSimpleDataSource");
            pool.addDataSourceProperty("url", database.url().replaceFirst("[?].*", ""));
            pool.setUsername(database.user());
            pool.setPassword(database.password());
            pool.setSchema("numbers");
            pool.setMaximumPoolSize(1);
            try (JdbcSequences sequences = JdbcSequences.keeping(pool, 4, s -> s.patience(PATIENCE));
                    Connection held = pool.getConnection()) {
                assertThat(sequences.unique("s").next()).isEqualTo(1);
                assertThat(sequences.<Long, SQLException>inTransaction(
                                own -> sequences.ordered("t").next()))
                        .isEqualTo(1);
                assertThat(text(held, "SELECT count(*) FROM numbers.seriatim_sequence"))
                        .isEqualTo("2");
            }
        }
    }

    @Test
    void beside_a_pool_the_account_is_the_one_that_it_has_now() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url().replaceFirst("[?].*", ""));
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcSequences sequences = JdbcSequences.keeping(pool, 1, s -> s.patience(PATIENCE))) {
            Sequence sequence = sequences.open("s", Allocation.async());
            assertThat(sequence.next()).isEqualTo(1);
            database.execute("CREATE ROLE \"later" + database.url().hashCode() + "\" LOGIN SUPERUSER PASSWORD 'later'");
            pool.getHikariConfigMXBean().setUsername("later" + database.url().hashCode());
            pool.getHikariConfigMXBean().setPassword("later");
            try (Connection other = database.connect()) {
                text(
                        other,
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            }
            assertThat(next(sequence)).isGreaterThan(1);
            assertThat(sequences.<String, SQLException>inTransaction(own -> text(own, "SELECT current_user")))
                    .isEqualTo("later" + database.url().hashCode());
        }
    }

    @Test
    void what_opens_connections_beside_a_pool_shows_no_secret() {
        for (String url : List.of(
                "jdbc:postgresql://127.0.0.1:1/none?password=s3cret",
                "jdbc:mariadb://127.0.0.1:1/none?password=s3cret")) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            pool.setPassword("s3cret");
            assertThatThrownBy(() -> JdbcSequences.keeping(pool, 1, s -> {}))
                    .isInstanceOf(SequenceException.Unavailable.class)
                    .hasMessageContaining("cannot be reached")
                    .hasStackTraceContaining("Unavailable")
                    .satisfies(e -> assertThat(trace(e)).doesNotContain("s3cret"));
            pool.close();
        }
    }

    private static String trace(Throwable e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }

    @Test
    void a_data_source_that_wraps_a_pool_is_looked_through() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (HikariDataSource pool = pool(database, 1);
                Connection held = pool.getConnection();
                JdbcSequences sequences =
                        JdbcSequences.keeping(new LazyConnectionDataSourceProxy(pool), 1, s -> s.patience(PATIENCE))) {
            assertThat(sequences.unique("s").next()).isEqualTo(1);
            assertThat(held.isValid(1)).isTrue();
        }
    }

    @Test
    void of_a_private_database_in_memory_there_is_no_second_connection() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite::memory:");
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcSequences sequences = JdbcSequences.keeping(pool, 1, s -> {})) {
            assertThat(sequences.unique("s").next()).isEqualTo(1);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void without_it_the_same_callers_find_no_connection() {
        try (HikariDataSource pool = pool(Engine.POSTGRESQL.freshDatabase(), THREADS);
                JdbcSequences sequences = JdbcSequences.borrowing(pool, s -> s.patience(PATIENCE))) {
            Sequence sequence = sequences.open("s", Allocation.batch(3));
            assertThatThrownBy(() -> drawWhileAllIsHeld(pool, sequence, THREADS))
                    .cause()
                    .isInstanceOf(SequenceException.class)
                    .hasMessageContaining("exhausted");
        }
    }

    @Test
    void the_settings_of_a_kept_connection_do_not_reach_the_pool() throws SQLException {
        try (HikariDataSource pool = pool(Engine.POSTGRESQL.freshDatabase(), 2)) {
            try (JdbcSequences sequences = JdbcSequences.keeping(unknown(pool), 1, s -> {})) {
                sequences.unique("s").next();
            }
            List<Connection> all = new ArrayList<>();
            try {
                for (int i = 0; i < 2; i++) {
                    Connection connection = pool.getConnection();
                    all.add(connection);
                    assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("0");
                }
            } finally {
                for (Connection connection : all) {
                    connection.close();
                }
            }
        }
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void a_kept_connection_that_broke_is_replaced() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (HikariDataSource pool = pool(database, 2);
                JdbcSequences sequences = JdbcSequences.keeping(unknown(pool), 1, s -> {})) {
            Sequence sequence = sequences.open("s", Allocation.async());
            assertThat(sequence.next()).isEqualTo(1);
            try (Connection other = database.connect()) {
                text(
                        other,
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            }
            assertThat(List.of(next(sequence), next(sequence))).isSorted().doesNotContain(1L);
        }
    }

    /** The first call after a break may report it. */
    private static long next(Sequence sequence) {
        try {
            return sequence.next();
        } catch (SequenceException.Unavailable broken) {
            return sequence.next();
        }
    }

    @Test
    void a_store_that_sequences_open_has_their_patience() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Duration patience = Duration.ofSeconds(1);
        try (JdbcSequences keeping = JdbcSequences.keeping(database.dataSource(), 1, s -> s.patience(patience));
                JdbcSequences open = JdbcSequences.borrowing(database.dataSource(), s -> s.patience(patience));
                Connection holder = database.connect()) {
            keeping.inTransaction(all -> {
                assertThatThrownBy(() -> keeping.inTransaction(another -> another))
                        .hasMessageContaining("no connection was free within 1000 ms");
                return all;
            });
            open.unique("s");
            holder.setAutoCommit(false);
            text(holder, "SELECT next_value FROM seriatim_sequence FOR UPDATE");
            assertThatThrownBy(() -> open.store().raise("s", 7)).hasMessageContaining("for 1000 ms");
        }
    }

    /** As where a data source chooses a database, or a schema. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_later_connection_that_leads_elsewhere_is_refused(boolean otherDatabase) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Database other = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA tenant");
        AtomicReference<DataSource> current = new AtomicReference<>(database.dataSource());
        try (JdbcSequences sequences = JdbcSequences.keeping(routing(current), 2, s -> s.patience(PATIENCE))) {
            Sequence sequence = sequences.open("s", Allocation.async());
            assertThat(sequence.next()).isEqualTo(1);
            sequences.inTransaction(first -> {
                current.set(otherDatabase ? other.dataSource() : inSchema(database.dataSource(), "tenant"));
                assertThatThrownBy(() -> sequences.inTransaction(second -> second))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("leads to")
                        .hasMessageContaining(otherDatabase ? name(other) : "schema tenant")
                        .hasMessageContaining(name(database))
                        .hasMessageContaining("open one store per database")
                        .hasMessageNotContaining("\n");
                return first;
            });
            current.set(database.dataSource());
            assertThat(next(sequence)).isEqualTo(2);
            sequences.inTransaction(first -> sequences.inTransaction(second -> {
                assertThat(first).isNotSameAs(second);
                return second;
            }));
        }
    }

    /** As after a failover to a host of another name. */
    @Test
    void a_later_connection_to_another_host_is_taken() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String elsewhere = database.url().replace("127.0.0.1", "localhost");
        assertThat(elsewhere).isNotEqualTo(database.url());
        AtomicReference<DataSource> current = new AtomicReference<>(database.dataSource());
        try (JdbcSequences sequences = JdbcSequences.keeping(routing(current), 2, s -> s.patience(PATIENCE))) {
            sequences.inTransaction(first -> {
                current.set(new DriverManagerDataSource(elsewhere));
                return sequences.inTransaction(second -> {
                    assertThat(second.getMetaData().getURL()).contains("localhost");
                    return second;
                });
            });
        }
    }

    private static String name(Database database) throws SQLException {
        try (Connection connection = database.connect()) {
            return "catalogue " + connection.getCatalog();
        }
    }

    private static DataSource routing(AtomicReference<DataSource> current) {
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return Objects.requireNonNull(current.get()).getConnection();
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return Objects.requireNonNull(current.get()).getConnection(user, password);
            }
        };
    }

    /** Beside the pool, its connections would lead to another table, whose numbers were dealt before. */
    @Test
    void a_wrapper_of_a_pool_that_chooses_a_schema_is_followed() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA app");
        }
        try (HikariDataSource pool = pool(database, 3)) {
            DataSource wrapper = inSchema(pool, "app");
            try (JdbcSequences sequences = JdbcSequences.borrowing(wrapper, s -> {})) {
                sequences.define(SequenceDefinition.of("s"));
                assertThat(sequences.ordered("s").next()).isEqualTo(1);
            }
            try (JdbcSequences sequences = JdbcSequences.open(wrapper)) {
                sequences.define(SequenceDefinition.of("s"));
                assertThat(sequences.ordered("s").next()).isEqualTo(2);
            }
            try (JdbcSequences sequences = JdbcSequences.keeping(wrapper, 2, s -> {})) {
                assertThat(sequences.ordered("s").next()).isEqualTo(3);
            }
        }
    }

    private static DataSource inSchema(DataSource source, String schema) {
        return new DelegatingDataSource(source) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.setSchema(schema);
                return connection;
            }
        };
    }

    @Test
    void a_pool_that_lends_in_manual_commit_mode_is_as_good() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Engine.H2.freshDatabase().dataSource());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (JdbcSequences sequences = JdbcSequences.keeping(unknown(pool), 1, s -> {})) {
                assertThat(sequences.unique("s").next()).isEqualTo(1);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }

    @Test
    void at_least_one_connection_is_kept() {
        DataSource source = Engine.H2.freshDatabase().dataSource();
        assertThatThrownBy(() -> JdbcSequences.keeping(source, 0, s -> {}))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("a store must keep at least 1 connection, not 0");
    }
}
