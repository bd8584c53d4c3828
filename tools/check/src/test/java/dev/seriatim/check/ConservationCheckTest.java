// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConservationCheckTest {

    @Test
    void numbers_that_are_all_accounted_for_are_no_fault() {
        assertThat(new Conservation(10, 6, 3, 1, 0).faults()).isEmpty();
        assertThat(new Conservation(0, 0, 0, 0, 0).faults()).isEmpty();
    }

    @Test
    void a_number_that_vanished_is_a_fault() {
        assertThat(new Conservation(10, 6, 2, 1, 0).faults())
                .containsExactly("10 numbers reserved; 6 dealt, 2 lost, 1 given back, 0 unknown: 1 vanished");
    }

    @Test
    void a_number_more_than_were_reserved_is_a_fault() {
        assertThat(new Conservation(10, 8, 2, 1, 5).faults())
                .containsExactly("10 numbers reserved; 8 dealt, 2 lost, 1 given back: 1 more than were reserved");
    }

    @Test
    void as_many_as_are_unknown_may_be_missing_and_no_more() {
        assertThat(new Conservation(10, 6, 0, 0, 4).faults()).isEmpty();
        assertThat(new Conservation(10, 6, 0, 0, 3).faults()).hasSize(1);
    }

    @Test
    void a_run_draws_at_most_as_many_different_numbers_as_the_counter_rose_by() {
        assertThat(Conservation.ofRun(9, 1, 11).faults()).isEmpty();
        assertThat(Conservation.ofRun(10, 1, 11).faults()).isEmpty();
        assertThat(Conservation.ofRun(11, 1, 11).faults()).hasSize(1);
    }

    @Test
    void a_counter_below_its_start_is_a_fault() {
        assertThat(Conservation.ofRun(1, 11, 1).faults()).hasSize(1);
    }
}
