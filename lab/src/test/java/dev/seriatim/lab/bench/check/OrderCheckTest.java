// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrderCheckTest {

    private final List<long[]> draws = new ArrayList<>();

    @Test
    void rising_values_one_after_another_are_in_order() {
        drawn(1, 0, 10);
        drawn(2, 11, 20);
        drawn(9, 21, 30);
        assertThat(violations()).isZero();
    }

    @Test
    void a_lower_value_after_a_higher_one_had_returned_is_a_violation() {
        drawn(2, 0, 10);
        drawn(1, 11, 20);
        assertThat(violations()).isEqualTo(1);
    }

    @Test
    void draws_that_overlap_may_get_their_values_either_way() {
        drawn(2, 0, 10);
        drawn(1, 5, 20);
        drawn(4, 30, 40);
        drawn(3, 30, 40);
        assertThat(violations()).isZero();
    }

    @Test
    void a_draw_that_begins_at_the_instant_another_returns_overlaps_it() {
        drawn(2, 0, 10);
        drawn(1, 10, 20);
        assertThat(violations()).isZero();
    }

    @Test
    void the_same_value_again_is_a_violation_too() {
        drawn(7, 0, 10);
        drawn(7, 11, 20);
        assertThat(violations()).isEqualTo(1);
    }

    @Test
    void a_long_draw_that_overlaps_both_hides_no_violation_between_them() {
        drawn(50, 0, 100);
        drawn(20, 5, 10);
        drawn(10, 20, 30);
        assertThat(violations()).isEqualTo(1);
    }

    @Test
    void every_draw_that_came_too_low_counts_once() {
        drawn(100, 0, 1);
        drawn(1, 2, 3);
        drawn(2, 4, 5);
        drawn(101, 6, 7);
        assertThat(violations()).isEqualTo(2);
    }

    @Test
    void it_agrees_with_comparing_every_draw_with_every_other() {
        for (long seed = 0; seed < 200; seed++) {
            draws.clear();
            Random random = new Random(seed);
            for (int i = 0; i < 40; i++) {
                long began = random.nextInt(60);
                drawn(random.nextInt(30), began, began + random.nextInt(10));
            }
            assertThat(violations()).as("seed %d", seed).isEqualTo(violationsByDefinition());
        }
    }

    private void drawn(long value, long began, long returned) {
        draws.add(new long[] {value, began, returned});
    }

    private long violations() {
        return OrderCheck.count(column(0), column(1), column(2));
    }

    private long[] column(int column) {
        return draws.stream().mapToLong(draw -> draw[column]).toArray();
    }

    private long violationsByDefinition() {
        return draws.stream()
                .filter(late -> draws.stream().anyMatch(early -> early[2] < late[1] && early[0] >= late[0]))
                .count();
    }
}
