// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/** Prints the speed and the memory of the checks. The bounds are those of memory, which a busy machine keeps too. */
@EnabledIfSystemProperty(
        named = "seriatim.trials",
        matches = "soak",
        disabledReason = "takes long; -Dseriatim.trials=soak runs it")
@Tag("long")
@Isolated("measures memory")
@SuppressWarnings("ReachabilityFenceUsage") // keeps what is measured alive
class CheckFiguresTest {

    private static final int MILLION = 1_000_000;
    private static final int WORKERS = 16;

    @Test
    void a_thousand_million_values_of_interleaved_blocks_with_a_twentieth_of_the_blocks_never_drawn() {
        ValueSet set = new ValueSet();
        long before = used();
        long began = System.nanoTime();
        long drawn = interleaved(set, 1000, new Random(1), 1000 * MILLION, false);
        long took = System.nanoTime() - began;
        print("blocks of 1,000, a twentieth never drawn", drawn, took, used() - before);
        assertThat(set.size()).isEqualTo(drawn);
        assertThat(used() - before).isLessThan(300L * MILLION);
        assertThat(set.add(1, 1L << 31)).isEqualTo(drawn);
    }

    @Test
    void a_thousand_million_values_of_interleaved_blocks_with_a_twentieth_of_the_values_never_drawn() {
        ValueSet set = new ValueSet();
        long before = used();
        long began = System.nanoTime();
        long drawn = interleaved(set, 1000, new Random(2), 1000 * MILLION, true);
        long took = System.nanoTime() - began;
        print("blocks of 1,000, every twentieth value never drawn", drawn, took, used() - before);
        assertThat(set.size()).isEqualTo(drawn);
        assertThat(used() - before).isLessThan(300L * MILLION);
        assertThat(set.add(1, 1L << 31)).isEqualTo(drawn);
    }

    @Test
    void a_thousand_million_values_in_runs_of_a_thousand() {
        ValueSet set = new ValueSet();
        long before = used();
        Random random = new Random(3);
        long began = System.nanoTime();
        long drawn = 0;
        for (long first = 1; drawn < 1000L * MILLION; first += 1000) {
            if (random.nextInt(20) > 0) {
                drawn += 1000 - set.add(first, 1000);
            }
        }
        long took = System.nanoTime() - began;
        print("runs of 1,000, a twentieth never drawn", drawn, took, used() - before);
        assertThat(used() - before).isLessThan(300L * MILLION);
        assertThat(set.size()).isEqualTo(drawn);
    }

    @Test
    void ten_million_values_far_from_each_other() {
        ValueSet set = new ValueSet();
        long before = used();
        Random random = new Random(4);
        long began = System.nanoTime();
        for (int i = 0; i < 10 * MILLION; i++) {
            set.add(random.nextLong() >>> 24);
        }
        long took = System.nanoTime() - began;
        print("random values of 40 bits", 10 * MILLION, took, used() - before);
        assertThat(used() - before).isLessThan(1000L * MILLION);
        Reference.reachabilityFence(set);
    }

    @Test
    void draws_of_many_lanes_in_order() {
        OrderCheck check = new OrderCheck(0);
        OrderCheck.Lane[] lanes = lanes(check);
        long before = used();
        long began = System.nanoTime();
        draw(lanes, 0, 100 * MILLION);
        assertThat(check.violations()).isZero();
        print("ordered draws of " + WORKERS + " lanes", 100 * MILLION, System.nanoTime() - began, used() - before);
        Reference.reachabilityFence(lanes);
    }

    @Test
    void a_lane_that_hangs_while_the_others_draw_three_million_times() {
        OrderCheck check = new OrderCheck(0);
        OrderCheck.Lane hung = check.open("hung", 0);
        OrderCheck.Lane[] lanes = lanes(check);
        long before = used();
        long began = System.nanoTime();
        draw(lanes, 0, 3 * MILLION);
        print("ordered draws beside a hung lane", 3 * MILLION, System.nanoTime() - began, used() - before);
        assertThat(check.kept()).isEqualTo(3 * MILLION);
        assertThat(used() - before).isLessThan(250L * MILLION);
        hung.close();
        began = System.nanoTime();
        assertThat(check.violations()).isZero();
        print("the same, checked when the lane is closed", 3 * MILLION, System.nanoTime() - began, used() - before);
        Reference.reachabilityFence(lanes);
    }

    @Test
    void a_hundred_million_committed_numbers_without_a_gap() {
        ValueSet acknowledged = new ValueSet();
        acknowledged.add(1, 100 * MILLION);
        ValueSet laidOut = new ValueSet();
        laidOut.add(100 * MILLION + 1, 1000);
        long began = System.nanoTime();
        Gaps gaps =
                Gaps.of(new Gaps.Found(1, 100 * MILLION + 1001, acknowledged, laidOut, acknowledged, new ValueSet()));
        print("committed numbers beside those acknowledged", 100 * MILLION, System.nanoTime() - began, 0);
        assertThat(gaps.count()).isZero();
    }

    /** Draws single values of as many blocks at once as there are workers, in turn. */
    private static long interleaved(ValueSet set, int block, Random random, int most, boolean eachValue) {
        long[] next = new long[WORKERS];
        long[] end = new long[WORKERS];
        long fresh = 1;
        long drawn = 0;
        while (drawn < most) {
            for (int worker = 0; worker < WORKERS; worker++) {
                if (next[worker] == end[worker]) {
                    while (!eachValue && random.nextInt(20) == 0) {
                        fresh += block;
                    }
                    next[worker] = fresh;
                    fresh += block;
                    end[worker] = fresh;
                }
                long value = next[worker]++;
                if (eachValue && ((value * 0x9E3779B97F4A7C15L) >>> 32) % 20 == 0) {
                    continue;
                }
                drawn += set.add(value) ? 0 : 1;
            }
        }
        return drawn;
    }

    private static OrderCheck.Lane[] lanes(OrderCheck check) {
        OrderCheck.Lane[] lanes = new OrderCheck.Lane[WORKERS];
        for (int lane = 0; lane < WORKERS; lane++) {
            lanes[lane] = check.open("lane " + lane, 0);
        }
        return lanes;
    }

    /** Draws that overlap each other, reported in bursts of a hundred for each lane. */
    private static void draw(OrderCheck.Lane[] lanes, long from, long draws) {
        int burst = 100;
        for (long i = from; i < from + draws; i += (long) burst * WORKERS) {
            for (int lane = 0; lane < WORKERS; lane++) {
                for (int one = 0; one < burst; one++) {
                    long value = i + (long) one * WORKERS + lane;
                    lanes[lane].drewOneOfSeveral(100 * value, 100 * value + 1500, value, 1);
                    lanes[lane].advance(100 * value + 1500);
                }
            }
        }
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void print(String what, long count, long nanos, long bytes) {
        System.out.printf(
                "%s: %,d in %.1f s, %.1f million/s, %.1f MB%n",
                what, count, nanos / 1e9, count * 1e3 / nanos, bytes / 1e6);
    }
}
