// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.modulith.events.EventExternalized;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.support.OutboxEventExternalizer;
import org.springframework.modulith.events.support.OutboxEventExternalizerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Modulith, whose events take our outbox. */
@Timeout(120)
@Tag("modulith")
@Tag("long")
@EnabledIfSystemProperty(named = "modulith.present", matches = "true")
class ModulithTest {

    private static final String OUTBOX = "--spring.modulith.events.externalization.mode=outbox";

    private final Database database = Engine.POSTGRESQL.freshDatabase();

    @Externalized("orders")
    record OrderPlaced(long id, String item) {}

    record Looked(long id) {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {}

    /** A transport as those of Modulith are: it keeps the externalizer to itself. */
    @SpringBootConfiguration
    static class Broker extends Shop {
        final List<Object> sent = new CopyOnWriteArrayList<>();
        final List<Object> announced = new CopyOnWriteArrayList<>();
        final AtomicInteger failures = new AtomicInteger(2);
        final OutboxEventExternalizer externalizer;

        Broker(OutboxEventExternalizerFactory factory) {
            externalizer = factory.forTransport((payload, target) -> {
                assertThat(target.getTarget()).isEqualTo("orders");
                if (payload.equals(new OrderPlaced(7, "tea")) && failures.getAndDecrement() > 0) {
                    return CompletableFuture.failedFuture(new IllegalStateException("no broker"));
                }
                sent.add(payload);
                return CompletableFuture.completedFuture(null);
            });
        }

        @EventListener
        void externalized(EventExternalized<?, ?> event) {
            announced.add(event.getEvent());
        }
    }

    private ConfigurableApplicationContext start(Class<?> type, String... arguments) {
        SpringApplication application = new SpringApplication(type);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of(
                "spring.main.banner-mode", "off",
                "logging.level.root", "error",
                "spring.modulith.events.jdbc.schema-initialization.enabled", "true",
                "spring.datasource.url", database.url()));
        return application.run(arguments);
    }

    private static void publish(ConfigurableApplicationContext shop, long id, boolean commit) {
        new TransactionTemplate(shop.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            shop.publishEvent(new Looked(id));
            shop.publishEvent(new OrderPlaced(id, "tea"));
            if (!commit) {
                status.setRollbackOnly();
            }
        });
    }

    @Test
    void events_of_committed_transactions_are_externalized_in_order() throws Exception {
        try (ConfigurableApplicationContext shop = start(Broker.class, OUTBOX)) {
            Broker broker = shop.getBean(Broker.class);
            for (int id = 1; id <= 30; id++) {
                publish(shop, id, id % 3 > 0);
            }
            shop.publishEvent(new OrderPlaced(31, "tea")); // without a transaction
            List<Object> expected = IntStream.rangeClosed(1, 31)
                    .filter(id -> id % 3 > 0)
                    .<Object>mapToObj(id -> new OrderPlaced(id, "tea"))
                    .toList();
            while (!broker.sent.contains(new OrderPlaced(31, "tea"))) {
                Thread.sleep(10);
            }
            assertThat(broker.sent.stream().distinct()).containsExactlyElementsOf(expected);
            assertThat(broker.failures.get()).isNegative();
            assertThat(broker.announced).containsAll(expected);
            assertThat(shop.getBean(JdbcFeeds.class)
                            .table("modulith")
                            .reader("modulith")
                            .position())
                    .isEqualTo(expected.size());
        }
    }

    @Test
    void nothing_is_lost_without_a_transport() throws Exception {
        try (ConfigurableApplicationContext shop = start(Shop.class, OUTBOX)) {
            publish(shop, 1, true);
            shop.getBean(JdbcFeeds.class).table("modulith").settle();
            Thread.sleep(300); // the relay looks at least each 250 ms
            assertThat(shop.getBean(JdbcFeeds.class)
                            .table("modulith")
                            .reader("modulith")
                            .position())
                    .isZero();
        }
        try (ConfigurableApplicationContext shop = start(Broker.class, OUTBOX)) {
            while (shop.getBean(Broker.class).sent.isEmpty()) {
                Thread.sleep(10);
            }
        }
    }

    @Test
    void other_modes_do_not_take_it() {
        try (ConfigurableApplicationContext shop = start(Shop.class)) {
            assertThat(shop.getBeanProvider(ModulithAutoConfiguration.Recorder.class))
                    .isEmpty();
        }
    }
}
