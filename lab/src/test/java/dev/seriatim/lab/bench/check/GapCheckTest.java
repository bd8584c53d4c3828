// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GapCheckTest {

    private static final long[] NONE = {};

    @Test
    void exactly_start_to_counter_has_no_gap() {
        assertThat(GapCheck.count(new long[] {3, 1, 2}, NONE, 1, 4)).isZero();
    }

    @Test
    void nothing_drawn_from_a_fresh_counter_has_no_gap() {
        assertThat(GapCheck.count(NONE, NONE, 1, 1)).isZero();
    }

    @Test
    void each_missing_value_is_a_gap() {
        assertThat(GapCheck.count(new long[] {1, 4}, NONE, 1, 5)).isEqualTo(2);
    }

    @Test
    void a_counter_that_ran_ahead_of_what_was_committed_is_a_gap() {
        assertThat(GapCheck.count(new long[] {1, 2}, NONE, 1, 4)).isEqualTo(1);
    }

    @Test
    void a_value_that_the_counter_does_not_know_of_is_a_fault() {
        assertThat(GapCheck.count(new long[] {1, 2, 3}, NONE, 1, 3)).isEqualTo(1);
    }

    @Test
    void a_duplicate_fills_no_gap() {
        assertThat(GapCheck.count(new long[] {1, 1, 3}, NONE, 1, 4)).isEqualTo(1);
    }

    @Test
    void a_value_whose_commit_is_unsure_may_be_there_or_not() {
        assertThat(GapCheck.count(new long[] {1, 3}, new long[] {2}, 1, 4)).isZero();
        assertThat(GapCheck.count(new long[] {1, 2}, new long[] {2}, 1, 3)).isZero();
        assertThat(GapCheck.count(new long[] {1, 2}, new long[] {3}, 1, 3)).isZero();
    }
}
