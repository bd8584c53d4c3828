// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DuplicateCheckTest {

    @Test
    void different_values_are_no_duplicates() {
        assertThat(DuplicateCheck.count(new long[] {3, 1, Long.MIN_VALUE, 2, Long.MAX_VALUE}))
                .isZero();
    }

    @Test
    void nothing_drawn_is_no_duplicate() {
        assertThat(DuplicateCheck.count(new long[0])).isZero();
    }

    @Test
    void every_draw_beyond_the_first_of_a_value_is_one() {
        assertThat(DuplicateCheck.count(new long[] {5, 1, 5, 2, 5, 1})).isEqualTo(3);
    }

    @Test
    void the_values_stay_in_their_places() {
        long[] values = {3, 1, 2};
        DuplicateCheck.count(values);
        assertThat(values).containsExactly(3, 1, 2);
    }
}
