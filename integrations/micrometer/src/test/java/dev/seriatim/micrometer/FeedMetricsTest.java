// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.feed.FeedState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The meters of feeds, without a database. */
@Timeout(60)
class FeedMetricsTest {

    private static final Duration TOOK = Duration.ofMillis(20);

    private final FeedMetrics metrics = new FeedMetrics(Tags.of("tenant", "a"), Duration.ZERO);
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final MeterRegistry later = new SimpleMeterRegistry();

    private static FeedState state(long last, long waiting, FeedState.Reader... readers) {
        return new FeedState("orders", "orders", List.of("id"), last, waiting, List.of(readers), List.of());
    }

    private static double gauge(MeterRegistry registry, String name) {
        return registry.get("seriatim.feed." + name)
                .tags("tenant", "a", "feed", "orders")
                .gauge()
                .value();
    }

    private static void await(MeterRegistry registry, String name, double value) throws InterruptedException {
        while (registry.find("seriatim.feed." + name).gauge() == null || gauge(registry, name) != value) {
            Thread.sleep(5);
        }
    }

    @Test
    void passes_are_timed_and_gauges_follow_the_state() throws InterruptedException {
        metrics.bindTo(registry);
        metrics.bindTo(registry);
        assertThat(registry.getMeters()).isEmpty();
        AtomicInteger reads = new AtomicInteger();
        metrics.states(feed -> state(
                10L + reads.incrementAndGet(),
                3,
                new FeedState.Reader("billing", 4),
                new FeedState.Reader("ahead", 1_000)));
        metrics.stamped("orders", 5, 11, TOOK);
        metrics.stamped("orders", 5, 11, TOOK);
        assertThat(registry.get("seriatim.feed.pass").timer().count()).isEqualTo(2);
        assertThat(registry.get("seriatim.feed.pass").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(40);
        await(registry, "last", 15);
        await(registry, "waiting", 3);
        while (registry.find("seriatim.feed.reader.lag").gauges().size() < 2) {
            Thread.sleep(5);
        }
        assertThat(registry.get("seriatim.feed.reader.lag")
                        .tag("reader", "billing")
                        .gauge()
                        .value())
                .isGreaterThanOrEqualTo(11);
        assertThat(registry.get("seriatim.feed.reader.lag")
                        .tag("reader", "ahead")
                        .gauge()
                        .value())
                .isZero();
        metrics.bindTo(later);
        await(later, "last", reads.get() + 15);
        assertThat(later.find("seriatim.feed.reader.lag").gauges()).hasSize(2);
    }

    @Test
    void a_gauge_neither_waits_for_the_database_nor_shows_a_state_that_cannot_be_read() throws InterruptedException {
        metrics.bindTo(registry);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        AtomicBoolean failing = new AtomicBoolean();
        metrics.advanced("orders", "billing", 1);
        assertThat(gauge(registry, "last")).isNaN();
        metrics.states(feed -> {
            reads.incrementAndGet();
            if (failing.get()) {
                throw new IllegalStateException("no answer");
            }
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return state(7, 0);
        });
        assertThat(gauge(registry, "last")).isNaN();
        assertThat(gauge(registry, "waiting")).isNaN();
        while (reads.get() < 1) {
            Thread.sleep(5);
        }
        assertThat(reads.get()).isEqualTo(1);
        answer.countDown();
        await(registry, "last", 7);
        failing.set(true);
        while (!Double.isNaN(gauge(registry, "last"))) {
            Thread.sleep(5);
        }
        failing.set(false);
        await(registry, "last", 7);
    }
}
