// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Sequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.spring.GaplessNumbers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** The sequences' connections neither wait for the callers' nor reach another database. */
@Timeout(60)
@Tag("long")
class OwnConnectionsTest {

    private static final int CALLERS = 8;

    @Test
    void callers_that_hold_all_connections_of_the_pool_get_numbers() {
        assertThat(drawnByCallersWithAllConnections("4")).hasSize(CALLERS).doesNotHaveDuplicates();
    }

    @Test
    void control_over_the_applications_pool_they_wait_for_each_other() {
        assertThat(drawnByCallersWithAllConnections("application")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 4", "8, 4"})
    void units_of_work_draw_other_numbers_while_they_occupy_the_own_connections(int connections, int units) {
        List<Long> drawn = new CopyOnWriteArrayList<>();
        Boot.pooled(Engine.POSTGRESQL.freshDatabase())
                .withPropertyValues("seriatim.patience=3s", "seriatim.connections=" + connections)
                .run(context -> {
                    JdbcSequences sequences = context.getBean(JdbcSequences.class);
                    DataSource pool = context.getBean(DataSource.class);
                    Sequence order = sequences.ordered("order_id");
                    CyclicBarrier all = new CyclicBarrier(units);
                    ExecutorService threads = Executors.newFixedThreadPool(units);
                    List<Future<?>> done = new ArrayList<>();
                    for (int i = 0; i < units; i++) {
                        GaplessNumbers numbers = GaplessNumbers.of(sequences.gapless("invoice_" + i), pool);
                        done.add(threads.submit(() -> numbers.grouped().executeWithoutResult(status -> {
                            numbers.next();
                            try {
                                all.await(20, TimeUnit.SECONDS);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                            drawn.add(order.next());
                        })));
                    }
                    for (Future<?> each : done) {
                        each.get();
                    }
                    threads.shutdown();
                });
        assertThat(drawn).hasSize(units).doesNotHaveDuplicates();
    }

    /** Each caller holds a connection until all have drawn. Returns the numbers of those who got one. */
    private static List<Long> drawnByCallersWithAllConnections(String connections) {
        List<Long> drawn = new ArrayList<>();
        Boot.pooled(Engine.POSTGRESQL.freshDatabase())
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=" + CALLERS,
                        "seriatim.patience=1s",
                        "seriatim.connections=" + connections)
                .run(context -> {
                    Sequence order = context.getBean(Sequences.class).open("order", Allocation.combined());
                    DataSource pool = context.getBean(DataSource.class);
                    CyclicBarrier all = new CyclicBarrier(CALLERS);
                    Callable<Long> caller = () -> {
                        try (Connection connection = pool.getConnection()) {
                            connection.setAutoCommit(false);
                            all.await();
                            try {
                                return order.next();
                            } finally {
                                all.await();
                            }
                        }
                    };
                    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
                    try {
                        List<Callable<Long>> callers = new ArrayList<>();
                        for (int i = 0; i < CALLERS; i++) {
                            callers.add(caller);
                        }
                        for (Future<Long> each : threads.invokeAll(callers)) {
                            try {
                                drawn.add(each.get());
                            } catch (ExecutionException e) {
                                assertThat(e).hasCauseInstanceOf(SequenceException.class);
                            }
                        }
                    } finally {
                        threads.shutdown();
                    }
                });
        return drawn;
    }

    @Test
    void they_have_all_settings_of_the_applications_pool() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA by_property", "CREATE SCHEMA by_statement", "CREATE SCHEMA by_setting");
        for (Map.Entry<String, String> setting : Map.of(
                        "by_property", "spring.datasource.hikari.data-source-properties.currentSchema=by_property",
                        "by_statement", "spring.datasource.hikari.connection-init-sql=SET search_path TO by_statement",
                        "by_setting", "spring.datasource.hikari.schema=by_setting")
                .entrySet()) {
            Boot.pooled(database).withPropertyValues(setting.getValue()).run(context -> {
                context.getBean(Sequences.class).unique("order").next();
                assertThat(own(context)).isEqualTo(4);
                assertThat(context.getBean(HikariDataSource.class).isRunning()).isFalse();
            });
            assertThat(database.number("SELECT count(*) FROM " + setting.getKey() + ".seriatim_sequence"))
                    .isEqualTo(1);
        }
    }

    @Test
    void they_are_at_most_as_many_as_the_property_says_and_close_with_the_application() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String count =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'shop'";
        Boot.pooled(database.option("ApplicationName", "shop"))
                .withPropertyValues("seriatim.connections=2")
                .run(context -> {
                    Sequences sequences = context.getBean(Sequences.class);
                    List<Thread> threads = new ArrayList<>();
                    for (int i = 0; i < 6; i++) {
                        Sequence each = sequences.open("s" + i, Allocation.async());
                        threads.add(new Thread(() -> each.next(1)));
                    }
                    try (Connection other = database.connect()) {
                        other.setAutoCommit(false);
                        other.createStatement().execute("LOCK TABLE seriatim_sequence IN ACCESS EXCLUSIVE MODE");
                        threads.forEach(Thread::start);
                        for (int i = 0; i < 100 && database.number(count) < 2; i++) {
                            pause();
                        }
                        pause(); // time for more, if there were no limit
                        assertThat(database.number(count)).isEqualTo(2);
                        other.rollback();
                    }
                    for (Thread thread : threads) {
                        thread.join();
                    }
                    assertThat(context.getBean(HikariDataSource.class).isRunning())
                            .as("the application's pool has not been needed")
                            .isFalse();
                });
        for (int i = 0; i < 100 && number(database, count) > 0; i++) {
            pause();
        }
        assertThat(number(database, count)).isZero();
    }

    @Test
    void without_a_pool_they_are_derived_from_the_url_and_the_account() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Boot.runner().withBean(DataSource.class, () -> new TestSource(database)).run(context -> {
            assertThat(context.getBean(Sequences.class).unique("order").next()).isEqualTo(1);
            assertThat(own(context)).isEqualTo(4);
        });
    }

    @Test
    void where_derived_ones_would_see_another_schema_the_applications_are_used() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA other");
        TestSource source = new TestSource(database);
        source.setSchema("other");
        draws(0, source);
        assertThat(database.number("SELECT count(*) FROM other.seriatim_sequence"))
                .isEqualTo(1);
    }

    @Test
    void of_a_data_source_of_an_unknown_kind_one_is_kept() {
        Database database = Engine.H2.freshDatabase();
        draws(1, new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return database.connect();
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return database.connect();
            }
        });
    }

    private static void draws(int kept, DataSource source) {
        Boot.runner().withBean(DataSource.class, () -> source).run(context -> {
            assertThat(context.getBean(Sequences.class).unique("order").next()).isEqualTo(1);
            assertThat(own(context)).isEqualTo(kept);
        });
    }

    @Test
    void a_database_that_only_its_connection_sees_is_the_applications() {
        for (String url : List.of("jdbc:sqlite::memory:", "jdbc:h2:mem:")) {
            Boot.runner()
                    .withConfiguration(org.springframework.boot.autoconfigure.AutoConfigurations.of(
                            Boot.dataSourceAutoConfiguration()))
                    .withPropertyValues(
                            "spring.datasource.url=" + url,
                            "spring.datasource.type=" + HikariDataSource.class.getName(),
                            "spring.datasource.hikari.maximum-pool-size=1")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        JdbcSequences sequences = context.getBean(JdbcSequences.class);
                        assertThat(sequences.unique("order").next()).isEqualTo(1);
                        assertThat(own(context)).isZero();
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void beside_a_pool_that_makes_its_data_source_by_the_name_of_a_class(boolean started) {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Boot.runner()
                .withBean(HikariDataSource.class, () -> made(started, database))
                .run(context -> {
                    Sequences sequences = context.getBean(Sequences.class);
                    List<Thread> threads = new ArrayList<>();
                    List<Long> drawn = new CopyOnWriteArrayList<>();
                    try (Connection held = context.getBean(DataSource.class).getConnection()) {
                        for (int i = 0; i < CALLERS; i++) {
                            Sequence each = sequences.ordered("s" + i);
                            threads.add(new Thread(() -> drawn.add(each.next())));
                        }
                        threads.forEach(Thread::start);
                        for (Thread thread : threads) {
                            thread.join();
                        }
                        assertThat(held.isValid(1)).isTrue();
                    }
                    assertThat(drawn).hasSize(CALLERS);
                    assertThat(own(context)).isEqualTo(4);
                    assertThat(context.getBean(HikariDataSource.class)
                                    .getHikariPoolMXBean()
                                    .getActiveConnections())
                            .isZero();
                });
    }

    private static HikariDataSource made(boolean started, Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSourceClassName("org.postgresql.ds.PGSimpleDataSource");
        config.addDataSourceProperty("url", database.location());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(2_000);
        if (started) {
            return new HikariDataSource(config);
        }
        HikariDataSource pool = new HikariDataSource();
        config.copyStateTo(pool);
        return pool;
    }

    @Test
    void a_private_database_of_a_data_source_that_the_pool_makes_is_the_applications() {
        Boot.runner()
                .withBean(HikariDataSource.class, () -> {
                    HikariDataSource pool = new HikariDataSource();
                    pool.setDataSourceClassName(org.h2.jdbcx.JdbcDataSource.class.getName());
                    pool.addDataSourceProperty("url", "jdbc:h2:mem:");
                    pool.setMaximumPoolSize(1);
                    return pool;
                })
                .run(context -> {
                    assertThat(context.getBean(Sequences.class).unique("order").next())
                            .isEqualTo(1);
                    assertThat(own(context)).isZero();
                });
    }

    @Test
    void a_named_database_in_memory_is_shared() {
        Boot.pooled(Engine.H2.freshDatabase()).run(context -> {
            context.getBean(Sequences.class).unique("order").next();
            assertThat(own(context)).isEqualTo(4);
            try (Connection connection = context.getBean(DataSource.class).getConnection();
                    var answer =
                            connection.createStatement().executeQuery("SELECT count(*) FROM \"seriatim_sequence\"")) {
                assertThat(answer.next()).isTrue();
                assertThat(answer.getLong(1)).isEqualTo(1);
            }
        });
    }

    @Test
    void a_data_source_that_leads_to_several_databases_is_refused() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "a";
            }
        };
        routing.setTargetDataSources(Map.of("a", new TestSource(Engine.H2.freshDatabase())));
        ApplicationContextRunner runner = Boot.runner().withBean("tenants", DataSource.class, () -> routing);
        runner.run(context -> assertThat(Boot.lines(context.getStartupFailure()))
                .isEqualTo(
                        "Seriatim: data source 'tenants' leads to several databases, and a sequence must stay in one.\n"
                                + "Set seriatim.data-source to one of the data sources behind it."));
    }

    private static int own(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(SequenceDatabase.class).connections())
                .kept();
    }

    private static long number(Database database, String query) {
        try {
            return database.number(query);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
