// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Consumption against the rule, in simulated time. */
class AdaptiveSizingTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final AdaptiveSizing sizing = new AdaptiveSizing(new Allocation.Adaptive(10, 1_000_000, 4));
    private long now;
    private long dealt;
    private double stock;
    private long stalls;
    private long longestStallAfterSettling;

    /** Deals at a rate for some time; every reservation takes a latency; what cannot be dealt at once waits. */
    private void consume(double perMilli, long millis, long latencyMillis) {
        long arrives = -1;
        long taken = 0;
        double waiting = 0;
        for (long t = 0; t < millis; t++) {
            now += MILLI;
            if (arrives >= 0 && now >= arrives) {
                stock += taken;
                double served = Math.min(stock, waiting);
                stock -= served;
                dealt += (long) served;
                sizing.arrived(now, dealt, taken, latencyMillis * MILLI, waiting > 0);
                waiting = 0;
                arrives = -1;
            }
            double use = Math.min(stock, perMilli);
            stock -= use;
            dealt += (long) use;
            if (use < perMilli) {
                waiting += perMilli - use;
                stalls++;
                longestStallAfterSettling = t;
            }
            if (arrives < 0 && (stock <= sizing.lowWaterMark() || waiting > 0)) {
                sizing.sent(now, dealt);
                long size = sizing.size();
                taken = size == SequenceStore.CACHE ? 100 : size;
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
        sizing.sent(now, dealt);
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
}
