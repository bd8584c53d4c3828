// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceListener;
import dev.seriatim.Sequences;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.transaction.support.TransactionTemplate;

/** The sequences of an application, and what becomes of them when it closes. */
@Timeout(60)
class SeriatimAutoConfigurationTest {

    private final Database h2 = Engine.H2.freshDatabase();

    @Test
    void the_suite_runs_on_the_boot_that_the_build_names() {
        assertThat(SpringBootVersion.getVersion()).startsWith(System.getProperty("seriatim.test.boot", "3.5"));
    }

    @Test
    void a_data_source_is_enough() {
        Boot.pooled(h2).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(JdbcSequences.class);
            assertThat(context.getBean(Sequences.class).unique("order").next()).isEqualTo(1);
        });
        assertThat(row("order")).as("given back").isEqualTo(2);
    }

    @Test
    void a_url_is_enough(@TempDir Path folder) {
        Boot.runner()
                .withPropertyValues("seriatim.url=sqlite:" + folder.resolve("numbers.db"))
                .run(context -> assertThat(context.getBean(JdbcSequences.class)
                                .unique("order")
                                .next())
                        .isEqualTo(1));
    }

    @Test
    void neither_gives_no_sequences() {
        Boot.runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Sequences.class));
    }

    @Test
    void it_can_be_switched_off() {
        Boot.pooled(h2)
                .withPropertyValues("seriatim.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Sequences.class));
    }

    @Test
    void sequences_of_the_applications_own_take_precedence() {
        Boot.pooled(h2)
                .withBean(Sequences.class, () -> StoreSequences.of(new InMemoryStore()))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Sequences.class)
                        .doesNotHaveBean(JdbcSequences.class));
    }

    @Test
    void a_primary_data_source_is_the_one() {
        Boot.runner().withUserConfiguration(TwoSources.class, FirstOfThem.class).run(context -> {
            context.getBean(Sequences.class).unique("order").next();
            assertThat(context.getBean("ours", TestSource.class)
                            .database()
                            .number("SELECT count(*) FROM \"seriatim_sequence\""))
                    .isEqualTo(1);
        });
    }

    @Test
    void of_several_data_sources_the_property_names_one() {
        Boot.runner()
                .withUserConfiguration(TwoSources.class)
                .withPropertyValues("seriatim.data-source=second")
                .run(context -> {
                    context.getBean(Sequences.class).unique("order").next();
                    assertThat(context.getBean("second", TestSource.class)
                                    .database()
                                    .number("SELECT count(*) FROM \"seriatim_sequence\""))
                            .isEqualTo(1);
                });
    }

    @Test
    void sequences_are_defined_before_anything_draws() {
        Boot.pooled(h2)
                .withPropertyValues(
                        "seriatim.sequences.order.start-with=1000",
                        "seriatim.sequences.order.increment-by=5",
                        "seriatim.sequences.[a.b].min-value=-7",
                        "seriatim.sequences.[a.b].max-value=-1",
                        "seriatim.sequences.[a.b].increment-by=-1",
                        "seriatim.sequences.[a.b].cycle=true",
                        "seriatim.sequences.[a.b].cache=3")
                .withBean("early", Early.class)
                .run(context -> {
                    assertThat(context.getBean(Early.class).first).isEqualTo(1000);
                    assertThat(context.getBean(JdbcSequences.class)
                                    .store()
                                    .describe("a.b")
                                    .definition())
                            .isEqualTo(SequenceDefinition.named("a.b")
                                    .minValue(-7L)
                                    .maxValue(-1L)
                                    .incrementBy(-1)
                                    .cycle(true)
                                    .cache(3)
                                    .build());
                });
        Boot.pooled(h2)
                .withPropertyValues("seriatim.sequences.order.start-with=1")
                .run(context -> assertThat(
                                context.getBean(Sequences.class).unique("order").next())
                        .as("an existing sequence stays as it is")
                        .isEqualTo(1005));
    }

    static final class Early {
        final long first;

        Early(Sequences sequences) {
            first = sequences.unique("order").next();
        }
    }

    @Test
    void settings_reach_the_sequences() {
        Boot.pooled(h2)
                .withPropertyValues(
                        "seriatim.table=numbers", "seriatim.give-back-on-close=false", "seriatim.patience=123ms")
                .run(context -> {
                    Sequence order = context.getBean(Sequences.class).open("order", Allocation.batch(10));
                    assertThat(order.next()).isEqualTo(1);
                });
        assertThat(number("SELECT \"next_value\" FROM \"numbers\" WHERE \"name\" = 'order'"))
                .isEqualTo(11);
    }

    @Test
    void sequences_work_until_everything_that_uses_them_has_stopped() {
        AtomicReference<List<Long>> drawn = new AtomicReference<>(List.of());
        for (String connections : List.of("4", "application")) {
            Database database = Engine.H2.freshDatabase();
            Boot.pooled(database)
                    .withPropertyValues("seriatim.connections=" + connections)
                    .withBean("user", User.class)
                    .run(context -> {
                        User user = context.getBean(User.class);
                        user.order.next();
                        drawn.set(user.drawnWhileClosing);
                    });
            assertThat(drawn.get()).containsExactly(2L, 3L);
            assertThat(number(database, "SELECT \"next_value\" FROM \"seriatim_sequence\""))
                    .as("given back with connections=" + connections)
                    .isEqualTo(4);
        }
    }

    /** Draws when it stops, as a web server does with requests under way, and when it is destroyed. */
    static final class User implements SmartLifecycle, DisposableBean {
        final Sequence order;
        final List<Long> drawnWhileClosing = new CopyOnWriteArrayList<>();
        private volatile boolean running;

        User(Sequences sequences) {
            order = sequences.open("order", Allocation.batch(100));
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            drawnWhileClosing.add(order.next());
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE;
        }

        @Override
        public void destroy() {
            drawnWhileClosing.add(order.next());
        }
    }

    @Test
    void every_listener_is_called_even_if_one_before_it_throws() {
        List<String> reported = new CopyOnWriteArrayList<>();
        Boot.pooled(h2)
                .withBean("throwing", SequenceListener.class, () -> new Throwing(reported))
                .withBean("last", SequenceListener.class, () -> new Last(reported))
                .run(context -> {
                    context.getBean(Sequences.class).unique("order").next();
                    assertThat(reported).startsWith("throwing order", "last order");
                    assertThat(AllListeners.of(SequenceListener.class, Stream.of())
                                    .toString())
                            .isNotEmpty();
                });
        assertThat(reported).contains("last given back order");
    }

    @Order(1)
    record Throwing(List<String> reported) implements SequenceListener {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            reported.add("throwing " + sequence);
            throw new IllegalStateException("no");
        }
    }

    @Order(2)
    record Last(List<String> reported) implements SequenceListener {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            reported.add("last " + sequence);
        }

        @Override
        public void givenBack(String sequence, Block values) {
            reported.add("last given back " + sequence);
        }
    }

    @Test
    void a_script_that_makes_the_sequences_runs_first(@TempDir Path folder) throws Exception {
        Database elsewhere = Engine.H2.freshDatabase();
        List<String> script = new ArrayList<>();
        try (JdbcSequences sequences = JdbcSequences.open(elsewhere.dataSource());
                Connection connection = elsewhere.connect()) {
            sequences.define(SequenceDefinition.named("order").startWith(5L).build());
            ResultSet lines = connection.createStatement().executeQuery("SCRIPT NOSETTINGS");
            while (lines.next()) {
                script.add(lines.getString(1));
            }
        }
        script.removeIf(line -> line.startsWith("CREATE USER"));
        Path file = Files.write(folder.resolve("schema.sql"), script);
        Boot.pooled(h2)
                .withConfiguration(AutoConfigurations.of(Boot.sqlInitAutoConfiguration()))
                .withPropertyValues(
                        "spring.sql.init.mode=always",
                        "spring.sql.init.schema-locations=" + file.toUri(),
                        "seriatim.create-missing=false",
                        "seriatim.sequences.order.start-with=5")
                .run(context -> assertThat(
                                context.getBean(Sequences.class).unique("order").next())
                        .isEqualTo(5));
    }

    @Test
    void entity_managers_of_the_same_data_source_get_the_sequences() {
        Boot.runner()
                .withUserConfiguration(TwoSources.class)
                .withPropertyValues("seriatim.data-source=ours")
                .run(context -> {
                    for (String source : List.of("ours", "second")) {
                        LocalContainerEntityManagerFactoryBean unit = new LocalContainerEntityManagerFactoryBean();
                        unit.setDataSource(context.getBean(source, DataSource.class));
                        context.getBean("seriatimEntityManagers", BeanPostProcessor.class)
                                .postProcessBeforeInitialization(unit, "unit");
                        assertThat(unit.getJpaPropertyMap().get("seriatim.sequences"))
                                .isSameAs(source.equals("ours") ? context.getBean(JdbcSequences.class) : null);
                    }
                });
    }

    @Test
    void wrappers_that_join_transactions_are_looked_below() {
        for (String connections : List.of("4", "0")) {
            Boot.runner()
                    .withBean(
                            DataSource.class,
                            () -> new TransactionAwareDataSourceProxy(
                                    new LazyConnectionDataSourceProxy(new TestSource(h2))))
                    .withPropertyValues("seriatim.connections=" + connections)
                    .run(context -> {
                        Sequences sequences = context.getBean(Sequences.class);
                        DataSource source = context.getBean(DataSource.class);
                        new TransactionTemplate(new JdbcTransactionManager(source)).executeWithoutResult(open -> {
                            new JdbcTemplate(source).execute("SELECT 1");
                            assertThat(sequences.ordered("order").next()).isPositive();
                        });
                        assertThat(Objects.requireNonNull(context.getBean(SequenceDatabase.class)
                                                .connections())
                                        .source())
                                .isInstanceOf(
                                        connections.equals("4") ? SimpleDriverDataSource.class : TestSource.class);
                    });
        }
    }

    private long row(String name) {
        return number("SELECT \"next_value\" FROM \"seriatim_sequence\" WHERE \"name\" = '" + name + "'");
    }

    private long number(String query) {
        return number(h2, query);
    }

    private static long number(Database database, String query) {
        try {
            return database.number(query);
        } catch (java.sql.SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoSources {
        @Bean
        TestSource ours() {
            return new TestSource(Engine.H2.freshDatabase());
        }

        @Bean
        TestSource second() {
            return new TestSource(Engine.H2.freshDatabase());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FirstOfThem {
        @Bean
        static org.springframework.beans.factory.config.BeanFactoryPostProcessor primary() {
            return beans -> beans.getBeanDefinition("ours").setPrimary(true);
        }
    }
}
