// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.store.SequenceStore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulates consumption under the sizing rule. */
class AdaptiveSizingTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final AdaptiveSizing sizing = new AdaptiveSizing(new Allocation.Adaptive(10, 1_000_000, 4));
    private long now = -TimeUnit.DAYS.toNanos(1); // as System.nanoTime() may be
    private double wanted;
    private double stock;
    private long stalls;
    private long longestStallAfterSettling;

    /**
     * Deals at a rate for some time; every reservation takes the latency; values that cannot be dealt immediately wait, for 10 s at
     * most.
     */
    private void consume(double perMilli, long millis, long latencyMillis) {
        long arrives = Long.MAX_VALUE;
        long taken = 0;
        double waiting = 0;
        for (long t = 0; t < millis; t++) {
            now += MILLI;
            wanted += perMilli;
            waiting = Math.min(waiting + perMilli, 10_000 * perMilli);
            if (now >= arrives) {
                sizing.arrived(now, (long) wanted, taken, latencyMillis * MILLI, waiting > taken);
                stock += taken;
                arrives = Long.MAX_VALUE;
            }
            double use = Math.min(stock, waiting);
            stock -= use;
            waiting -= use;
            if (waiting > 0) {
                stalls++;
                longestStallAfterSettling = t;
            }
            if (arrives == Long.MAX_VALUE && (stock <= sizing.lowWaterMark() || waiting > 0)) {
                sizing.sent(now, (long) wanted);
                long size = sizing.size();
                taken = Math.max(size == SequenceStore.CACHE ? 100 : size, (long) waiting);
                arrives = now + latencyMillis * MILLI;
            }
        }
    }

    @Test
    void has_no_stalls_once_it_has_seen_the_rate() {
        consume(50, 20_000, 10);
        assertThat(longestStallAfterSettling)
                .as("the last stall, in ms from the start")
                .isLessThan(500);
        assertThat(stalls).isLessThan(200);
    }

    @Test
    void holds_no_more_than_a_fraction_of_a_second_of_values() {
        consume(50, 20_000, 10);
        assertThat(sizing.size()).isBetween(2_000L, 20_000L);
        assertThat(sizing.lowWaterMark()).isBetween(500L, 10_000L);
    }

    @Test
    void follows_the_rate_down_and_back_up() {
        consume(100, 5_000, 10);
        long busy = sizing.size();
        consume(1, 60_000, 10);
        assertThat(sizing.size()).isLessThan(busy / 20);
        consume(100, 5_000, 10);
        assertThat(sizing.size()).isGreaterThan(busy / 2);
    }

    @Test
    void shrinks_to_the_smallest_block_when_idle() {
        consume(100, 5_000, 10);
        now += TimeUnit.MINUTES.toNanos(5);
        sizing.sent(now, (long) wanted);
        assertThat(sizing.size()).isEqualTo(10);
    }

    @Test
    void grows_to_its_bound_and_no_further_for_a_consumer_without_limit() {
        consume(1_000_000, 2_000, 10);
        assertThat(sizing.size()).isEqualTo(1_000_000);
        assertThat(sizing.lowWaterMark()).isLessThanOrEqualTo(4_000_000);
    }

    @Test
    void follows_the_latency() {
        consume(10, 5_000, 5);
        long near = sizing.lowWaterMark();
        consume(10, 5_000, 100);
        assertThat(sizing.lowWaterMark()).isGreaterThan(4 * near);
    }

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Returns the sizing after the first block, which took this long: nothing else is known yet. */
    private static AdaptiveSizing begun(Allocation.Adaptive bounds, long tookMillis) {
        AdaptiveSizing sizing = new AdaptiveSizing(bounds);
        sizing.arrived(0, 0, 100, tookMillis * MILLI, false);
        return sizing;
    }

    @Test
    void asks_for_the_definitions_block_until_the_first_has_arrived_and_learns_nothing_from_waiting_for_that() {
        assertThat(sizing.size()).isEqualTo(SequenceStore.CACHE);
        assertThat(sizing.lowWaterMark()).isEqualTo(1);
        sizing.sent(5 * SECOND, 0);
        sizing.arrived(5 * SECOND, 0, 1000, 10 * MILLI, false);
        assertThat(sizing.size()).isEqualTo(10);
        assertThat(sizing.lowWaterMark()).isEqualTo(1);
        assertThat(sizing.maxReservations()).isEqualTo(4);
    }

    @Test
    void asks_for_what_a_tenth_of_a_second_uses_up_and_fetches_at_two_latencies() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(10, 1_000_000, 4), 10);
        sizing.sent(100 * MILLI, 1000); // 10,000 a second
        assertThat(sizing.size()).isEqualTo(1000);
        assertThat(sizing.lowWaterMark()).isEqualTo(200);
    }

    @Test
    void asks_for_what_six_latencies_use_up_where_the_store_is_slow() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(10, 1_000_000, 4), 250);
        sizing.sent(500 * MILLI, 500); // 1,000 a second
        assertThat(sizing.size()).isEqualTo(1500);
        assertThat(sizing.lowWaterMark()).isEqualTo(500);
    }

    @Test
    void takes_a_burst_of_less_than_50_ms_for_one_of_50() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(10, 1_000_000, 4), 10);
        sizing.sent(MILLI, 100);
        assertThat(sizing.size()).isEqualTo(200); // 2,000 a second
        sizing.sent(25 * MILLI, 200); // the same window, and 4,000 a second
        assertThat(sizing.size()).isEqualTo(400);
    }

    @Test
    void does_not_expect_a_burst_to_last_as_long_as_a_queue_at_the_row() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(1, 1_000_000, 4), 0);
        sizing.sent(SECOND, 500);
        sizing.sent(SECOND + 50 * MILLI, 1000); // 10,000 a second; 952 on average since the start
        assertThat(sizing.size()).isEqualTo(1000);
        sizing.arrived(SECOND + 50 * MILLI, 1000, 100, 1000 * MILLI, false);
        sizing.arrived(2 * SECOND + 50 * MILLI, 1952, 100, 1000 * MILLI, false);
        assertThat(sizing.size()).isBetween(6_000L, 8_000L);
    }

    @Test
    void measures_the_next_window_from_the_end_of_the_one_before() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(1, 1_000_000, 4), 10);
        sizing.sent(50 * MILLI, 50); // 1,000 a second; that window ends
        sizing.sent(100 * MILLI, 250); // 4,000 a second
        assertThat(sizing.size()).isEqualTo(400);
    }

    @Test
    void forgets_a_rate_within_seconds() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(1, 1_000_000, 4), 10);
        sizing.sent(100 * MILLI, 10_000); // 100,000 a second
        sizing.sent(100 * MILLI + 2 * SECOND, 10_000);
        assertThat(sizing.size()).isEqualTo((long) (10_000 / Math.E));
        assertThat(sizing.lowWaterMark()).isEqualTo((long) (2_000 / Math.E));
    }

    @Test
    void believes_a_longer_latency_the_second_time_and_a_shorter_one_by_and_by() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(10, 1_000_000, 4), 10);
        sizing.arrived(100 * MILLI, 0, 100, 100 * MILLI, false);
        sizing.sent(200 * MILLI, 10_000); // 100,000 a second
        assertThat(sizing.lowWaterMark()).as("twice at most").isEqualTo(4_000);
        sizing.arrived(200 * MILLI, 10_000, 100, 150 * MILLI, false);
        assertThat(sizing.lowWaterMark()).as("slow with the first").isEqualTo(4_000);
        sizing.arrived(200 * MILLI, 10_000, 100, 100 * MILLI, false);
        assertThat(sizing.lowWaterMark()).as("slow after the first").isEqualTo(20_000);
        sizing.arrived(200 * MILLI, 10_000, 100, 50 * MILLI, false);
        assertThat(sizing.lowWaterMark()).isEqualTo(19_800);
    }

    /** A paused server. Callers give up after a patience of 10 s. */
    @ParameterizedTest
    @ValueSource(ints = {60, 600})
    void is_back_within_a_minute_after_one_reservation_that_took(int seconds) {
        consume(0.1, 30_000, 10);
        long before = sizing.size();
        consume(0.1, seconds * 1_000L + 200, seconds * 1_000L);
        consume(0.1, 60_000, 10);
        assertThat(sizing.size()).isLessThan(2 * before);
        assertThat(stock).as("values left in memory").isLessThan(10.0 * before);
    }

    @Test
    void follows_a_store_that_stays_slow_within_half_a_minute() {
        consume(0.1, 30_000, 10);
        consume(0.1, 30_000, 5_000);
        stalls = 0;
        consume(0.1, 120_000, 5_000);
        assertThat(stalls).as("ms in which a caller waits").isZero();
    }

    @Test
    void keeps_twice_what_was_dealt_during_one_reservation_and_forgets_that_within_half_a_minute() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(1, 1_000_000, 4), 0);
        sizing.sent(SECOND, 100);
        sizing.arrived(SECOND, 600, 100, 0, false);
        assertThat(sizing.lowWaterMark()).isEqualTo(1000);
        sizing.sent(SECOND + 20 * SECOND, 600);
        assertThat(sizing.lowWaterMark()).isEqualTo((long) (1000 / Math.E));
        sizing.arrived(SECOND + 20 * SECOND, 601, 100, 0, false);
        assertThat(sizing.lowWaterMark()).isEqualTo((long) (1000 / Math.E));
    }

    @Test
    void doubles_the_block_after_one_that_was_too_small_for_those_who_wait() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(1, 1_000_000, 4), 0);
        sizing.sent(100 * MILLI, 100); // 1,000 a second
        assertThat(sizing.size()).isEqualTo(100);
        sizing.arrived(100 * MILLI, 100, 50, 0, true);
        assertThat(sizing.size()).isEqualTo(200);
        assertThat(sizing.lowWaterMark()).isEqualTo(1);
        sizing.arrived(100 * MILLI, 100, 500, 0, true);
        assertThat(sizing.size()).isEqualTo(1000);
        sizing.arrived(100 * MILLI, 100, 50, 0, false);
        assertThat(sizing.size()).isEqualTo(100);
    }

    @Test
    void counts_who_comes_while_the_first_block_is_under_way_and_does_not_take_them_for_a_burst() {
        AdaptiveSizing sizing = new AdaptiveSizing(new Allocation.Adaptive(1, 1_000_000, 4));
        sizing.sent(0, 1);
        sizing.arrived(10 * SECOND, 21, 100, 10_000 * MILLI, false); // 2 a second
        assertThat(sizing.size()).isEqualTo(120);
        assertThat(sizing.lowWaterMark()).isEqualTo(40);
    }

    @Test
    void takes_a_burst_of_less_than_a_latency_for_one_of_a_latency() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(1, 1_000_000, 4), 10_000);
        sizing.sent(50 * MILLI, 20); // not 400 a second, but 2
        assertThat(sizing.size()).isEqualTo(120);
    }

    @Test
    void looks_at_the_rate_when_a_block_arrives_too() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(10, 1_000_000, 4), 250);
        sizing.arrived(500 * MILLI, 5000, 100, 250 * MILLI, false); // 10,000 a second
        assertThat(sizing.size()).isEqualTo(15_000);
    }

    @Test
    void stays_between_its_bounds() {
        AdaptiveSizing sizing = begun(new Allocation.Adaptive(10, 50, 3), 100);
        sizing.sent(100 * MILLI, 1);
        assertThat(sizing.size()).isEqualTo(10);
        sizing.sent(200 * MILLI, 100_000);
        assertThat(sizing.size()).isEqualTo(50);
        assertThat(sizing.lowWaterMark()).isEqualTo(150);
        assertThat(sizing.maxReservations()).isEqualTo(3);
    }
}
