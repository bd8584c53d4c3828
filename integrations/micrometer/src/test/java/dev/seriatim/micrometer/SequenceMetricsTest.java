// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The effect of each event on the meters, without a store; a test moves the clock. */
class SequenceMetricsTest {

    /** Silent: what registries throw here is on purpose. */
    private static final Logger LOG = Logger.getLogger("dev.seriatim.micrometer");

    private static final Duration TOOK = Duration.ofMillis(20);
    private static final SequenceDefinition TO_1000 =
            SequenceDefinition.named("s").maxValue(1_000L).build();

    private final MockClock clock = new MockClock();
    private final SequenceMetrics metrics = new SequenceMetrics(Tags.empty(), clock);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void runs_on_the_version_of_micrometer_that_the_build_names() {
        String jar = String.valueOf(
                MeterRegistry.class.getProtectionDomain().getCodeSource().getLocation());
        assertThat(jar).contains("micrometer-core-" + System.getProperty("seriatim.micrometer") + ".jar");
    }

    // Events

    @Test
    void each_event_moves_its_meter_and_no_other() {
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(1, 50, 1), TOOK);
        metrics.waited("s", Duration.ofMillis(7));
        metrics.lost("s", new Block(1, 3, 1));
        metrics.givenBack("s", new Block(46, 5, 1));
        metrics.outcomeUnknown("s", 11);
        metrics.failed("s", new SequenceException.Unavailable("s", "no answer", null));
        metrics.failed("s", new SequenceException.Unavailable("s", "no answer", null));
        metrics.failed("s", new SequenceException.Overloaded("s", "busy", null));

        assertThat(count(registry, "seriatim.reserved")).isEqualTo(50);
        assertThat(count(registry, "seriatim.lost")).isEqualTo(3);
        assertThat(count(registry, "seriatim.given.back")).isEqualTo(5);
        assertThat(count(registry, "seriatim.outcome.unknown")).isEqualTo(11);
        assertThat(failures("Unavailable")).isEqualTo(2);
        assertThat(failures("Overloaded")).isEqualTo(1);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(1);
        assertThat(timer(registry, "seriatim.reservations").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(20);
        assertThat(timer(registry, "seriatim.waits").count()).isEqualTo(1);
        assertThat(timer(registry, "seriatim.waits").max(TimeUnit.MILLISECONDS)).isEqualTo(7);
    }

    @Test
    void a_reservation_with_its_definition_counts_once() {
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(1, 50, 1), TOOK, TO_1000);
        assertThat(count(registry, "seriatim.reserved")).isEqualTo(50);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(1);
    }

    @Test
    void meters_have_base_units_descriptions_and_one_tag_per_sequence() {
        SequenceMetrics tagged = new SequenceMetrics(List.of(Tag.of("tenant", "blue")), clock);
        tagged.bindTo(registry);
        tagged.valuesInHand(name -> 1);
        tagged.reserved("a", new Block(1, 1, 1), TOOK, SequenceDefinition.of("a"));
        tagged.reserved("b", new Block(1, 1, 1), TOOK, SequenceDefinition.of("b"));
        tagged.failed("a", new SequenceException.Unavailable("a", "no answer", null));
        assertThat(registry.getMeters()).hasSize(9 * 2 + 1).allSatisfy(meter -> {
            Meter.Id id = meter.getId();
            assertThat(id.getDescription()).isNotBlank();
            assertThat(id.getBaseUnit()).isIn("values", "failures", "ratio", "seconds");
            assertThat(id.getTag("sequence")).isIn("a", "b");
            assertThat(id.getTag("tenant")).isEqualTo("blue");
        });
    }

    @Test
    void every_kind_of_failure_has_the_same_tags_so_that_registries_with_fixed_labels_take_it() {
        metrics.bindTo(registry);
        metrics.failed("s", new SequenceException.NotFound("s", "a table"));
        metrics.failed("t", new SequenceException.Regressed("t", 1, 2));
        assertThat(registry.find("seriatim.failures").meters())
                .extracting(meter ->
                        meter.getId().getTags().stream().map(Tag::getKey).toList())
                .containsExactly(List.of("exception", "sequence"), List.of("exception", "sequence"));
    }

    // Registries

    @Test
    void events_before_the_first_registry_are_shown_there() {
        metrics.reserved("s", new Block(1, 50, 1), TOOK, TO_1000);
        metrics.waited("s", TOOK);
        metrics.failed("s", new SequenceException.Unavailable("s", "no answer", null));
        metrics.bindTo(registry);
        assertThat(count(registry, "seriatim.reserved")).isEqualTo(50);
        assertThat(failures("Unavailable")).isEqualTo(1);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(1);
        assertThat(timer(registry, "seriatim.waits").count()).isEqualTo(1);
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.05);
    }

    @Test
    void what_is_kept_for_the_first_registry_is_bounded() {
        for (int i = 0; i < 5_000; i++) {
            metrics.reserved("s", new Block(1, 1, 1), TOOK);
        }
        metrics.bindTo(registry);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(1_000);
        assertThat(count(registry, "seriatim.reserved")).isEqualTo(5_000);
    }

    @Test
    void several_registries_show_the_same_totals_and_time_from_their_binding_on() {
        SimpleMeterRegistry second = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(1, 50, 1), TOOK);
        metrics.bindTo(second);
        metrics.reserved("s", new Block(51, 50, 1), TOOK);
        assertThat(count(registry, "seriatim.reserved")).isEqualTo(100);
        assertThat(count(second, "seriatim.reserved")).isEqualTo(100);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(2);
        assertThat(timer(second, "seriatim.reservations").count()).isEqualTo(1);
    }

    @Test
    void a_registry_that_is_bound_twice_counts_once() {
        metrics.bindTo(registry);
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(1, 1, 1), TOOK);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(1);
    }

    @Test
    void a_registry_that_throws_does_not_disturb_the_others() {
        SimpleMeterRegistry refusing = new SimpleMeterRegistry() {
            @Override
            protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector detector) {
                throw new IllegalStateException("no timers here");
            }
        };
        metrics.bindTo(refusing);
        metrics.reserved("before", new Block(1, 1, 1), TOOK);
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(1, 50, 1), TOOK, TO_1000);
        metrics.failed("s", new SequenceException.Unavailable("s", "no answer", null));
        assertThat(count(registry, "seriatim.reserved")).isEqualTo(50);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(1);
        assertThat(failures("Unavailable")).isEqualTo(1);
        assertThatThrownBy(() -> timer(refusing, "seriatim.reservations")).isInstanceOf(RuntimeException.class);
    }

    @Test
    void a_registry_whose_timers_throw_does_not_disturb_the_others() {
        SimpleMeterRegistry failing = new SimpleMeterRegistry(SimpleConfig.DEFAULT, new MockClock()) {
            @Override
            protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector detector) {
                return new io.micrometer.core.instrument.noop.NoopTimer(id) {
                    @Override
                    public void record(Duration duration) {
                        throw new IllegalStateException("full");
                    }
                };
            }
        };
        metrics.bindTo(failing);
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(1, 50, 1), TOOK);
        metrics.waited("s", TOOK);
        assertThat(timer(registry, "seriatim.reservations").count()).isEqualTo(1);
        assertThat(timer(registry, "seriatim.waits").count()).isEqualTo(1);
        assertThat(count(failing, "seriatim.reserved")).isEqualTo(50);
    }

    @Test
    void no_event_is_lost_while_registries_are_bound() throws InterruptedException {
        int threads = 4;
        int events = 200;
        List<SimpleMeterRegistry> bound = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                for (int i = 0; i < events; i++) {
                    metrics.reserved("s" + i % 10, new Block(1, 2, 1), TOOK);
                }
            });
            thread.start();
            running.add(thread);
        }
        go.countDown();
        for (int i = 0; i < 5; i++) {
            SimpleMeterRegistry each = new SimpleMeterRegistry();
            metrics.bindTo(each);
            bound.add(each);
        }
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(bound)
                .allSatisfy(each -> assertThat(each.find("seriatim.reserved").functionCounters().stream()
                                .mapToDouble(FunctionCounter::count)
                                .sum())
                        .isEqualTo(2.0 * threads * events));
        assertThat(bound.get(0).find("seriatim.reservations").timers().stream()
                        .mapToLong(Timer::count)
                        .sum())
                .isEqualTo((long) threads * events);
    }

    // Reserved values

    @Test
    void reserved_values_are_shown_once_a_source_is_given() {
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(1, 50, 1), TOOK);
        assertThat(registry.find("seriatim.in.hand").gauge()).isNull();
        metrics.valuesInHand(name -> name.equals("s") ? 49 : 7);
        metrics.reserved("t", new Block(1, 50, 1), TOOK);
        assertThat(gauge("seriatim.in.hand")).isEqualTo(49);
        assertThat(registry.get("seriatim.in.hand").tag("sequence", "t").gauge().value())
                .isEqualTo(7);
    }

    // Used ratio and exhaustion

    @Test
    void the_gauges_of_the_range_appear_with_its_bounds() {
        metrics.bindTo(registry);
        metrics.waited("s", TOOK);
        metrics.reserved("s", new Block(1, 50, 1), TOOK); // as POOLED does
        assertThat(registry.find("seriatim.used.ratio").gauge()).isNull();
        metrics.reserved("s", new Block(51, 50, 1), TOOK, TO_1000);
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.1);
        assertThat(gauge("seriatim.exhaustion")).as("no rate yet").isNaN();
    }

    @Test
    void exhaustion_follows_from_the_rate_of_the_counter_whoever_moves_it() {
        metrics.bindTo(registry);
        reserve(1, 10);
        pass(10);
        reserve(91, 10); // others have reserved 11 … 90
        assertThat(gauge("seriatim.exhaustion")).isCloseTo(100, within(0.5)); // 900 left, 90 in 10 s
        pass(10);
        reserve(181, 10);
        assertThat(gauge("seriatim.exhaustion")).isCloseTo(810 / 9.0, within(0.5));
    }

    @Test
    void a_new_rate_replaces_the_old_one_within_minutes_and_rest_lets_it_sink() {
        metrics.bindTo(registry);
        SequenceDefinition big = SequenceDefinition.of("s");
        double left = Long.MAX_VALUE;
        long first = 1;
        for (int i = 0; i < 3_600; i++, pass(1)) {
            metrics.reserved("s", new Block(first, 1, 1), TOOK, big);
            first += 1;
        }
        assertThat(left / gauge("seriatim.exhaustion")).isCloseTo(1, within(0.01));
        for (int i = 0; i < 3_600; i++, pass(1)) {
            metrics.reserved("s", new Block(first, 100, 1), TOOK, big);
            first += 100;
        }
        assertThat(left / gauge("seriatim.exhaustion")).isCloseTo(100, within(1.0));
        pass(600);
        assertThat(left / gauge("seriatim.exhaustion")).isCloseTo(100 / Math.E, within(1.0));
        pass(6_000);
        assertThat(left / gauge("seriatim.exhaustion")).isLessThan(0.01);
    }

    @Test
    void small_steps_of_a_high_counter_are_not_rounded_away() {
        metrics.bindTo(registry);
        long high = Long.MAX_VALUE - 1_000;
        SequenceDefinition definition =
                SequenceDefinition.named("s").startWith(high).build();
        metrics.reserved("s", new Block(high, 1, 1), TOOK, definition);
        pass(10);
        metrics.reserved("s", new Block(high + 10, 1, 1), TOOK, definition);
        assertThat(gauge("seriatim.exhaustion")).isCloseTo(990, within(5.0));
    }

    @Test
    void a_used_up_sequence_is_exhausted_now() {
        metrics.bindTo(registry);
        reserve(1, 10);
        pass(1);
        reserve(991, 10);
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(1);
        assertThat(gauge("seriatim.exhaustion")).isZero();
    }

    @Test
    void wider_bounds_show_with_the_next_reservation() {
        metrics.bindTo(registry);
        reserve(1, 900);
        metrics.reserved(
                "s",
                new Block(901, 100, 1),
                TOOK,
                SequenceDefinition.named("s").maxValue(10_000L).build());
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.1);
    }

    @Test
    void a_sequence_that_counts_down_is_used_from_the_top() {
        metrics.bindTo(registry);
        SequenceDefinition down = SequenceDefinition.named("s")
                .incrementBy(-2)
                .minValue(1L)
                .maxValue(1_000L)
                .build();
        metrics.reserved("s", new Block(1_000, 50, -2), TOOK, down);
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.1);
        pass(10);
        metrics.reserved("s", new Block(900, 50, -2), TOOK, down);
        assertThat(gauge("seriatim.exhaustion")).isCloseTo(80, within(0.5)); // 400 left, 50 in 10 s
    }

    @Test
    void the_widest_range_does_not_overflow() {
        metrics.bindTo(registry);
        SequenceDefinition widest = SequenceDefinition.named("s")
                .minValue(Long.MIN_VALUE)
                .maxValue(Long.MAX_VALUE)
                .build();
        metrics.reserved("s", new Block(Long.MIN_VALUE, 1, 1), TOOK, widest);
        pass(1);
        metrics.reserved("s", new Block(Long.MAX_VALUE - 1, 1, 1), TOOK, widest);
        assertThat(gauge("seriatim.used.ratio")).isCloseTo(1, within(1e-9));
        assertThat(gauge("seriatim.exhaustion")).isCloseTo(0, within(1e-9));
    }

    @Test
    void a_sequence_that_cycles_is_never_exhausted() {
        metrics.bindTo(registry);
        SequenceDefinition cycling =
                SequenceDefinition.named("s").maxValue(1_000L).cycle(true).build();
        metrics.reserved("s", new Block(1, 1_000, 1), TOOK, cycling);
        assertThat(gauge("seriatim.exhaustion")).isInfinite();
        pass(60);
        metrics.reserved("s", new Block(1, 100, 1), TOOK, cycling);
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.1);
    }

    @Test
    void a_reservation_that_is_reported_after_a_later_one_changes_nothing() {
        metrics.bindTo(registry);
        reserve(1, 10);
        pass(10);
        reserve(91, 10);
        double before = gauge("seriatim.exhaustion");
        metrics.reserved("s", new Block(81, 10, 1), Duration.ofMillis(1), TO_1000);
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.1);
        assertThat(gauge("seriatim.exhaustion")).isEqualTo(before);
        assertThat(count(registry, "seriatim.reserved")).isEqualTo(30);
    }

    @Test
    void a_counter_that_an_operator_has_set_back_is_followed_and_its_rate_measured_again() {
        metrics.bindTo(registry);
        reserve(1, 10);
        pass(10);
        reserve(891, 10);
        pass(10);
        reserve(1, 10);
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.01);
        assertThat(gauge("seriatim.exhaustion")).isNaN();
        pass(10);
        reserve(11, 10);
        assertThat(gauge("seriatim.exhaustion")).isCloseTo(980, within(5.0));
    }

    @Test
    void values_given_back_are_unused_again() {
        metrics.bindTo(registry);
        reserve(1, 100);
        metrics.givenBack("s", new Block(51, 50, 1));
        assertThat(gauge("seriatim.used.ratio")).isEqualTo(0.05);
    }

    @Test
    void numbers_outside_the_bounds_show_no_progress() {
        metrics.bindTo(registry);
        metrics.reserved("s", new Block(5_000, 10, 1), TOOK, TO_1000);
        assertThat(registry.find("seriatim.used.ratio").gauge()).isNull();
        assertThat(count(registry, "seriatim.reserved")).isEqualTo(10);
    }

    private void reserve(long first, long count) {
        metrics.reserved("s", new Block(first, count, 1), TOOK, TO_1000);
    }

    private void pass(long seconds) {
        clock.add(Duration.ofSeconds(seconds));
    }

    private double failures(String exception) {
        return registry.get("seriatim.failures")
                .tag("exception", exception)
                .functionCounter()
                .count();
    }

    private double gauge(String name) {
        Meter meter = registry.get(name).tag("sequence", "s").meter();
        return meter instanceof TimeGauge time
                ? time.value(TimeUnit.SECONDS)
                : Objects.requireNonNull((Gauge) meter).value();
    }

    private static double count(MeterRegistry registry, String name) {
        return registry.get(name).tag("sequence", "s").functionCounter().count();
    }

    private static Timer timer(MeterRegistry registry, String name) {
        return registry.get(name).tag("sequence", "s").timer();
    }
}
