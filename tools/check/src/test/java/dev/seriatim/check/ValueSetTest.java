// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ValueSetTest {

    private static final long PAGE = 1 << 16;

    private final ValueSet set = new ValueSet();

    @Test
    void a_value_is_there_once_it_was_added() {
        assertThat(set.contains(5)).isFalse();
        assertThat(set.add(5)).isFalse();
        assertThat(set.contains(5)).isTrue();
        assertThat(set.contains(4)).isFalse();
        assertThat(set.contains(6)).isFalse();
        assertThat(set.contains(5 + PAGE)).isFalse();
        assertThat(set.size()).isOne();
    }

    @Test
    void a_value_that_is_added_again_was_there_already() {
        set.add(5);
        assertThat(set.add(5)).isTrue();
        assertThat(set.firstRepeated()).isEqualTo(5);
        assertThat(set.size()).isOne();
    }

    @Test
    void nothing_added_is_nothing_there() {
        assertThat(set.add(5, 0)).isZero();
        assertThat(set.size()).isZero();
        assertThat(runs()).isEmpty();
        assertThat(set.runs().contains(Long.MIN_VALUE)).isFalse();
        assertThat(set.runs().contains(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void both_ends_of_64_bits_have_room() {
        assertThat(set.add(Long.MAX_VALUE)).isFalse();
        assertThat(set.add(Long.MIN_VALUE)).isFalse();
        assertThat(set.add(Long.MAX_VALUE - 3, 4)).isOne();
        assertThat(set.firstRepeated()).isEqualTo(Long.MAX_VALUE);
        assertThat(set.add(Long.MIN_VALUE, 10)).isOne();
        assertThat(set.add(-1, 2)).isZero();
        assertThat(runs())
                .containsExactly(
                        run(Long.MIN_VALUE, Long.MIN_VALUE + 9), run(-1, 0), run(Long.MAX_VALUE - 3, Long.MAX_VALUE));
        assertThat(set.size()).isEqualTo(16);
    }

    @Test
    void a_run_across_the_highest_32_bits_is_one_run() {
        long edge = 1L << 32;
        assertThat(set.add(edge - 5, 1L << 32)).isZero();
        assertThat(set.size()).isEqualTo(1L << 32);
        assertThat(set.add(1L << 31, 1L << 31)).isEqualTo(5);
        assertThat(set.firstRepeated()).isEqualTo(edge - 5);
        assertThat(set.add(2 * edge - 6)).isTrue();
        assertThat(set.add(2 * edge - 5)).isFalse();
        assertThat(runs()).containsExactly(run(1L << 31, 2 * edge - 5));
    }

    @Test
    void a_run_beyond_64_bits_or_of_less_than_nothing_is_refused() {
        assertThatThrownBy(() -> set.add(Long.MAX_VALUE, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot add 2 values from 9223372036854775807");
        assertThatThrownBy(() -> set.add(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> set.add(1, (1L << 32) + 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(set.size()).isZero();
    }

    @Test
    void a_wide_run_finds_the_lowest_of_what_it_covers() {
        set.add(7 * PAGE + 3);
        assertThat(set.add(1, 1L << 32)).isOne();
        assertThat(set.firstRepeated()).isEqualTo(7 * PAGE + 3);
        assertThat(set.add(-5 * PAGE, 20 * PAGE)).isEqualTo(15 * PAGE - 1);
        assertThat(set.firstRepeated()).isEqualTo(1);
    }

    @Test
    void every_second_value_of_a_page_and_then_the_others_make_it_full() {
        for (long value = 0; value < PAGE; value += 2) {
            assertThat(set.add(value)).isFalse();
        }
        assertThat(set.contains(1)).isFalse();
        for (long value = 1; value < PAGE; value += 2) {
            assertThat(set.add(value)).isFalse();
        }
        assertThat(runs()).containsExactly(run(0, PAGE - 1));
        assertThat(set.add(77)).isTrue();
        assertThat(set.contains(77)).isTrue();
        assertThat(set.size()).isEqualTo(PAGE);
    }

    @Test
    void it_agrees_with_a_set_of_the_platform() {
        for (long seed = 0; seed < 60; seed++) {
            agrees(seed);
        }
    }

    /** Dense and sparse stretches around a few places, ends of pages and of 64 bits among them. */
    private static void agrees(long seed) {
        Random random = new Random(seed);
        long[] places = {
            0, -PAGE, 3 * PAGE - 5, Long.MIN_VALUE + 4 * PAGE, Long.MAX_VALUE - 4 * PAGE, random.nextLong() / 2
        };
        int spread = seed % 3 == 0 ? 300 : (int) (3 * PAGE);
        int longest = seed % 2 == 0 ? 3 : 20_000;
        TreeSet<Long> model = new TreeSet<>();
        ValueSet set = new ValueSet();
        for (int i = 0; i < (longest == 3 ? 12_000 : 30); i++) {
            long first = places[random.nextInt(seed % 2 == 0 ? 2 : places.length)] + random.nextInt(spread);
            int count = 1 + random.nextInt(longest);
            long repeated = 0;
            long lowest = 0;
            for (long value = first; value < first + count; value++) {
                if (!model.add(value)) {
                    lowest = repeated++ == 0 ? value : lowest;
                }
            }
            assertThat(set.add(first, count)).as("seed %d", seed).isEqualTo(repeated);
            if (repeated > 0) {
                assertThat(set.firstRepeated()).as("seed %d", seed).isEqualTo(lowest);
            }
        }
        assertThat(set.size()).as("seed %d", seed).isEqualTo(model.size());
        Iterator<Long> values = model.iterator();
        for (List<Long> run : runs(set)) {
            for (long value = run.get(0); value <= run.get(1) && value >= run.get(0); value++) {
                if (values.next() != value || !set.contains(value)) {
                    assertThat(value).as("seed %d", seed).isNull();
                }
            }
        }
        assertThat(values.hasNext()).isFalse();
        for (int i = 0; i < 1000; i++) {
            long value = places[random.nextInt(places.length)] + random.nextInt(spread);
            assertThat(set.contains(value)).as("seed %d", seed).isEqualTo(model.contains(value));
        }
    }

    @Test
    void values_far_from_each_other_are_found_again() {
        Random random = new Random(1);
        TreeSet<Long> model = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            long value = random.nextLong();
            assertThat(set.add(value)).isEqualTo(!model.add(value));
        }
        assertThat(set.size()).isEqualTo(model.size());
        for (long value : model) {
            assertThat(set.contains(value)).isTrue();
        }
    }

    private List<List<Long>> runs() {
        return runs(set);
    }

    private static List<List<Long>> runs(ValueSet set) {
        List<List<Long>> all = new ArrayList<>();
        ValueSet.Runs runs = set.runs();
        long first = Long.MIN_VALUE;
        while (true) {
            boolean there = runs.contains(first);
            long last = runs.endOfStretch(first);
            while (last < Long.MAX_VALUE && runs.contains(last + 1) == there) { // at the end of the highest 32 bits
                last = runs.endOfStretch(last + 1);
            }
            if (there) {
                all.add(run(first, last));
            }
            if (last == Long.MAX_VALUE) {
                return all;
            }
            first = last + 1;
        }
    }

    private static List<Long> run(long first, long last) {
        return List.of(first, last);
    }
}
