// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.feed.Entry;
import dev.seriatim.feed.FeedDefinition;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.feed.Outbox;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.spring.FeedHandler;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods that handle feeds. Isolated, because an application that starts configures logging. */
@Isolated
@Timeout(120)
class FeedHandlersTest {

    private static final Logger LOGGER = Logger.getLogger("dev.seriatim.spring");

    /** Handles entries by counting them in the table {@code bill}, in the same transaction. */
    static class Billing {
        final List<Long> seen = new CopyOnWriteArrayList<>();
        final JdbcTemplate jdbc;
        final AtomicInteger failures = new AtomicInteger();

        Billing(DataSource source) {
            jdbc = new JdbcTemplate(source);
        }

        @FeedHandler(feed = "orders", reader = "billing", batch = 10)
        void bill(List<Entry> batch) throws IOException {
            for (Entry order : batch) {
                jdbc.update("INSERT INTO bill (position, order_id) VALUES (?, ?)", order.position(), order.key());
                if (order.key().equals(5L) && failures.getAndDecrement() > 0) {
                    throw new IOException("no printer");
                }
                seen.add(order.position());
            }
        }
    }

    /** What the container logs. */
    private static final class Log extends ConsoleHandler implements AutoCloseable {
        private final Consumer<LogRecord> lines;
        private final @Nullable Level before = LOGGER.getLevel();

        Log(Consumer<LogRecord> lines) {
            this.lines = lines;
            LOGGER.setLevel(Level.ALL);
            LOGGER.addHandler(this);
        }

        @Override
        public synchronized void publish(LogRecord line) {
            lines.accept(line);
        }

        @Override
        public synchronized void close() {
            LOGGER.removeHandler(this);
            LOGGER.setLevel(before);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Transactions {
        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            return new JdbcTransactionManager(source);
        }
    }

    private static Database tables(Engine engine) {
        Database database = engine.freshDatabase();
        try {
            database.execute(
                    "CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(20))",
                    "CREATE TABLE bill (position BIGINT NOT NULL PRIMARY KEY, order_id BIGINT)");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return database;
    }

    private static ApplicationContextRunner runner(Database database) {
        return Boot.pooled(database).withUserConfiguration(Transactions.class);
    }

    private static void insert(Database database, long from, long to) throws SQLException {
        try (Connection connection = database.connect()) {
            for (long id = from; id <= to; id++) {
                connection.createStatement().execute("INSERT INTO orders VALUES (" + id + ", 'n" + id + "')");
            }
        }
    }

    private static void await(Database database, long bills) throws Exception {
        while (database.number("SELECT count(*) FROM bill") < bills) {
            Thread.sleep(10);
        }
    }

    private static void complete(Database database, long bills) throws SQLException {
        assertThat(database.number("SELECT count(*) FROM bill")).isEqualTo(bills);
        assertThat(database.number("SELECT count(DISTINCT order_id) FROM bill")).isEqualTo(bills);
        assertThat(database.number("SELECT max(position) FROM bill")).isEqualTo(bills);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE"})
    void two_instances_handle_each_entry_once_in_order(Engine engine) throws Exception {
        Database database = tables(engine);
        if (engine == Engine.SQLITE) {
            database = database.option("transaction_mode", "IMMEDIATE").option("busy_timeout", "10000");
        }
        Database shop = database;
        int writers = engine == Engine.SQLITE ? 1 : 4;
        int each = 100;
        runner(shop)
                .withBean(Billing.class)
                .run(first -> runner(shop).withBean(Billing.class).run(second -> {
                    List<Thread> threads = IntStream.range(0, writers)
                            .mapToObj(writer -> new Thread(() -> {
                                try {
                                    insert(shop, 1 + (long) writer * each, (long) (writer + 1) * each);
                                } catch (SQLException e) {
                                    throw new AssertionError(e);
                                }
                            }))
                            .toList();
                    threads.forEach(Thread::start);
                    await(shop, (long) writers * each);
                    complete(shop, (long) writers * each);
                    List<Long> firstSeen = first.getBean(Billing.class).seen;
                    List<Long> secondSeen = second.getBean(Billing.class).seen;
                    assertThat(firstSeen).isSorted();
                    assertThat(secondSeen).isSorted();
                    List<Long> all = new ArrayList<>(firstSeen);
                    all.addAll(secondSeen);
                    assertThat(all)
                            .contains(LongStream.rangeClosed(1, (long) writers * each)
                                    .boxed()
                                    .toArray(Long[]::new));
                }));
    }

    @Test
    void handlers_go_on_after_their_sessions_were_ended() throws Exception {
        Database database = tables(Engine.POSTGRESQL);
        runner(database).withBean(Billing.class).run(context -> {
            for (int round = 0; round < 5; round++) {
                insert(database, 1 + 40L * round, 40L * (round + 1));
                database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            }
            await(database, 200);
            complete(database, 200);
        });
    }

    @Test
    void what_fails_is_rolled_back_named_and_handled_again_in_order() throws Exception {
        Database database = tables(Engine.POSTGRESQL);
        insert(database, 1, 20);
        List<String> logged = new CopyOnWriteArrayList<>();
        try (Log log = new Log(line -> logged.add(line.getMessage() + ": " + line.getThrown()))) {
            assertThat(log.getFormatter()).isNotNull();
            runner(database)
                    .withBean(Billing.class)
                    .withInitializer(context -> context.getBeanFactory().addBeanPostProcessor(new BeanPostProcessor() {
                        @Override
                        public Object postProcessBeforeInitialization(Object bean, String name) {
                            if (bean instanceof Billing billing) {
                                billing.failures.set(2);
                            }
                            return bean;
                        }
                    }))
                    .run(context -> {
                        await(database, 20);
                        complete(database, 20);
                        assertThat(context.getBean(Billing.class).seen)
                                .containsSubsequence(1L, 2L, 3L, 4L, 1L, 2L, 3L, 4L, 5L, 6L);
                    });
        }
        assertThat(logged)
                .containsExactly(
                        "handler 'billing' of feed 'orders' failed at position 1 or up to 9 later, and runs again in 100 ms:"
                                + " java.io.IOException: no printer",
                        "handler 'billing' of feed 'orders' failed at position 5, key 5, and runs again in 100 ms:"
                                + " java.io.IOException: no printer");
    }

    /** Holds the first entry until a test lets it go. */
    static class Slow {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final JdbcTemplate jdbc;

        Slow(DataSource source) {
            jdbc = new JdbcTemplate(source);
        }

        @FeedHandler(feed = "orders", reader = "slow", batch = 1, columns = "note")
        void handle(Connection connection, Entry order) throws SQLException, InterruptedException {
            connection
                    .createStatement()
                    .execute("INSERT INTO bill VALUES (" + order.position() + ", "
                            + Objects.requireNonNull(order.text("note")).substring(1) + ")");
            begun.countDown();
            assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_stop_lets_the_batch_end_and_a_start_goes_on() throws Exception {
        Database database = tables(Engine.POSTGRESQL);
        insert(database, 1, 3);
        runner(database).withBean(Slow.class).run(context -> {
            Slow slow = context.getBean(Slow.class);
            slow.begun.await();
            Thread stop = new Thread(context.getSourceApplicationContext()::stop);
            stop.start();
            FeedHandlers handlers = context.getBean(FeedHandlers.class);
            while (handlers.isRunning()) {
                Thread.sleep(10);
            }
            slow.go.countDown();
            stop.join();
            complete(database, 1);
            handlers.start();
            await(database, 3);
            complete(database, 3);
        });
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("seriatim-feed-orders-slow"));
    }

    @Entity(name = "bill")
    static class Bill {
        @Id
        long position;

        Bill() {}

        Bill(long position) {
            this.position = position;
        }
    }

    static class JpaBilling {
        @PersistenceContext
        @SuppressWarnings("NullAway.Init")
        EntityManager entities;

        final JdbcTemplate jdbc;
        final AtomicInteger failures = new AtomicInteger(2);

        JpaBilling(DataSource source) {
            jdbc = new JdbcTemplate(source);
        }

        @FeedHandler(feed = "orders", reader = "billing")
        public void bill(Entry order) {
            entities.persist(new Bill(order.position()));
            entities.flush();
            jdbc.update("UPDATE bill SET order_id = ? WHERE position = ?", order.key(), order.position());
            if (order.position() == 3 && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("no printer");
            }
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        PersistenceManagedTypes entities() {
            return PersistenceManagedTypes.of(Bill.class.getName());
        }

        @Bean
        JpaBilling billing(DataSource source) {
            return new JpaBilling(source);
        }

        @Bean
        FeedDefinition orders() {
            return FeedDefinition.over("orders").key("id");
        }
    }

    @Test
    void jpa_and_jdbc_take_part_in_the_transaction() throws Exception {
        Database database = tables(Engine.POSTGRESQL);
        insert(database, 1, 5);
        try (ConfigurableApplicationContext shop = ApplicationTest.start(Shop.class, database)) {
            await(database, 5);
            complete(database, 5);
            assertThat(shop.getBean(JdbcFeeds.class).list()).containsExactly("orders");
            assertThat(shop.getBean(JpaBilling.class).failures.get()).isNegative();
        }
    }

    /** A manager of another data source would commit the effects without the place. */
    @Test
    void a_manager_of_another_data_source_is_refused() throws Exception {
        Database database = tables(Engine.POSTGRESQL);
        insert(database, 1, 1);
        List<String> logged = new CopyOnWriteArrayList<>();
        try (Log log = new Log(line -> logged.add(String.valueOf(line.getThrown())))) {
            assertThat(log.getFormatter()).isNotNull();
            Boot.pooled(database)
                    .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database.dataSource()))
                    .withBean(Billing.class)
                    .run(context -> {
                        while (logged.isEmpty()) {
                            Thread.sleep(10);
                        }
                    });
        }
        assertThat(logged.get(0)).contains("HikariDataSource is not the data source of this transaction");
        complete(database, 0);
    }

    static class Wrong {
        @FeedHandler(feed = "orders", reader = "wrong")
        void handle(String order) {}
    }

    static class Both {
        @FeedHandler(feed = "orders", reader = "same")
        void first(Entry order) {}

        @FeedHandler(feed = "${feed:orders}", reader = "${reader:same}")
        void second(Entry order) {}
    }

    @Test
    void a_method_that_cannot_handle_stops_the_start() {
        Database database = tables(Engine.POSTGRESQL);
        runner(database)
                .withBean(Wrong.class)
                .run(context ->
                        assertThat(context).getFailure().hasMessageContaining("must take an Entry or a List of them"));
        runner(database)
                .withBean(Both.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("two methods are handler 'same' of feed 'orders'"));
        runner(database)
                .withBean(Both.class)
                .withPropertyValues("reader=other")
                .run(context -> assertThat(context).hasNotFailed());
        runner(database)
                .withBean(Billing.class)
                .withPropertyValues("seriatim.feeds.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcFeeds.class));
    }

    @Test
    void a_database_without_feeds_refuses_them_only_where_they_are_used() {
        Database database = tables(Engine.H2);
        runner(database).run(context -> assertThat(context).hasNotFailed().hasSingleBean(JdbcFeeds.class));
        runner(database)
                .withBean(Billing.class)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("no feeds in H2"));
    }

    @Test
    void feeds_are_made_after_scripts_unless_others_make_them(@TempDir Path folder) throws IOException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Path script = folder.resolve("orders.sql");
        Files.writeString(script, "CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY);");
        ApplicationContextRunner runner = runner(database)
                .withConfiguration(AutoConfigurations.of(Boot.sqlInitAutoConfiguration()))
                .withBean(
                        FeedDefinition.class,
                        () -> FeedDefinition.over("orders").named("all"))
                .withPropertyValues(
                        "spring.sql.init.mode=always", "spring.sql.init.schema-locations=" + script.toUri());
        runner.withPropertyValues("seriatim.create-missing=false")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("feed 'all' not found"));
        runner.run(
                context -> assertThat(context.getBean(JdbcFeeds.class).list()).containsExactly("all"));
        runner.withPropertyValues("seriatim.create-missing=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Relay {
        final List<String> sent = new CopyOnWriteArrayList<>();

        @FeedHandler(feed = "shipping", reader = "broker")
        void send(Entry message) {
            sent.add(message.text("type") + message.text("payload"));
        }
    }

    /** The pause of the stamper is an hour and no reader stamps, so only the nudge makes it look again. */
    @Test
    void a_commit_with_messages_is_stamped_at_once() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        ApplicationContextRunner runner = runner(database).withUserConfiguration(Shipping.class);
        runner.withPropertyValues("seriatim.feeds.stamping=1h").run(context -> {
            Outbox outbox = context.getBean(Outbox.class);
            DataSource source = context.getBean(DataSource.class);
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            for (int i = 1; i <= 5; i++) {
                int number = i;
                transactions.executeWithoutResult(status -> {
                    outbox.append(DataSourceUtils.getConnection(source), "k", "a", "" + number);
                    outbox.append(DataSourceUtils.getConnection(source), "k", "b", "" + number);
                    assertThat(TransactionSynchronizationManager.getSynchronizations())
                            .hasSize(1);
                });
                while (outbox.feed().last() < 2L * i) {
                    Thread.sleep(5);
                }
            }
        });
        runner.withBean(Relay.class).run(context -> {
            Relay relay = context.getBean(Relay.class);
            while (relay.sent.size() < 10) {
                Thread.sleep(5);
            }
            assertThat(relay.sent).containsExactly("a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5", "b5");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Shipping {
        @Bean
        Outbox shipping(JdbcFeeds feeds) {
            return feeds.outbox("shipping");
        }
    }
}
