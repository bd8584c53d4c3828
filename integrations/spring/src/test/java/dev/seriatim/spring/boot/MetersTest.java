// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Sequences;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.micrometer.FeedMetrics;
import dev.seriatim.micrometer.SequenceMetrics;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Meters come with Micrometer. Isolated, because an application that starts configures logging. */
@Isolated
@Timeout(60)
class MetersTest {

    private final Database database = Engine.H2.freshDatabase();

    @Test
    void boot_binds_the_meters_and_the_sequences_report_to_them() {
        Boot.pooled(database)
                .withConfiguration(AutoConfigurations.of(Boot.metricsAutoConfiguration(), Boot.simpleMetrics()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Sequences.class)
                            .open("order", Allocation.batch(10))
                            .next();
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.get("seriatim.in.hand").gauge().value()).isEqualTo(9);
                    assertThat(registry.get("seriatim.reservations")
                                    .tag("sequence", "order")
                                    .timer()
                                    .count())
                            .isPositive();
                });
    }

    @Test
    void feeds_report_to_meters_of_their_own() throws SQLException {
        Database server = Engine.POSTGRESQL.freshDatabase();
        server.execute(
                "CREATE TABLE orders (id BIGINT PRIMARY KEY)",
                "INSERT INTO orders VALUES (7)",
                "CREATE TABLE bills (id BIGINT PRIMARY KEY)");
        Boot.pooled(server)
                .withConfiguration(AutoConfigurations.of(Boot.metricsAutoConfiguration(), Boot.simpleMetrics()))
                .withPropertyValues("seriatim.feeds.stamping=0")
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    JdbcFeeds feeds = context.getBean(JdbcFeeds.class);
                    feeds.table("orders").reader("billing").run(10, (own, batch) -> {});
                    while (registry.find("seriatim.feed.reader.lag").gauge() == null) {
                        Thread.sleep(10);
                    }
                    assertThat(registry.get("seriatim.feed.pass").timer().count())
                            .isEqualTo(1);
                    assertThat(registry.get("seriatim.feed.last").gauge().value())
                            .isEqualTo(1);
                    assertThat(registry.get("seriatim.feed.waiting").gauge().value())
                            .isZero();
                    // An event of a feed that has been dropped does not make it again.
                    context.getBean(FeedMetrics.class).advanced("bills", "billing", 1);
                    while (Thread.getAllStackTraces().keySet().stream()
                            .anyMatch(thread -> thread.getName().equals("seriatim-feed-meters"))) {
                        Thread.sleep(10);
                    }
                    assertThat(feeds.list()).containsExactly("orders");
                });
    }

    @Test
    void meters_of_the_applications_own_are_used() {
        SequenceMetrics own = new SequenceMetrics();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        own.bindTo(registry);
        Boot.pooled(database).withBean(SequenceMetrics.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(SequenceMetrics.class);
            context.getBean(Sequences.class).unique("order").next();
            assertThat(registry.get("seriatim.reservations").timer().count()).isPositive();
        });
    }

    @Test
    void there_are_none_without_micrometer() {
        Boot.pooled(database)
                .withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("seriatimMetrics"));
    }

    @ParameterizedTest
    @CsvSource({"true, true, 0", "true, false, 1", "false, false, 0"})
    void what_is_missing_for_meters_is_logged_at_start(boolean registry, boolean module, int lines) {
        List<String> logged = new ArrayList<>();
        long here = Thread.currentThread().getId();
        Logger logger = Logger.getLogger("dev.seriatim.spring");
        Handler handler = new ConsoleHandler() {
            @Override
            public synchronized void publish(LogRecord line) {
                if (line.getLongThreadID() == here) {
                    logged.add(line.getMessage());
                }
            }
        };
        ApplicationContextRunner runner = Boot.pooled(database);
        if (registry) {
            runner = runner.withConfiguration(
                    AutoConfigurations.of(Boot.metricsAutoConfiguration(), Boot.simpleMetrics()));
        }
        if (!module) {
            runner = runner.withClassLoader(new FilteredClassLoader("dev.seriatim.micrometer"));
        }
        Level before = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        try {
            runner.run(context -> assertThat(context).hasNotFailed());
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        assertThat(logged.stream().filter(line -> line.contains("dependency dev.seriatim:seriatim-micrometer")))
                .hasSize(lines);
    }
}
