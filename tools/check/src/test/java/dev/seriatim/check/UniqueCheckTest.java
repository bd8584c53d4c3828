// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UniqueCheckTest {

    private static final long SECOND = 1_000_000_000;

    private final UniqueCheck check = new UniqueCheck(100 * SECOND);

    @Test
    void different_values_are_no_duplicates() {
        drawn(3, 1, Long.MIN_VALUE, 2, Long.MAX_VALUE);
        assertThat(check.duplicates()).isZero();
        assertThat(check.examples()).isEmpty();
    }

    @Test
    void nothing_drawn_is_no_duplicate() {
        assertThat(check.duplicates()).isZero();
    }

    @Test
    void every_draw_beyond_the_first_of_a_value_is_one() {
        drawn(5, 1, 5, 2, 5, 1);
        assertThat(check.duplicates()).isEqualTo(3);
        assertThat(check.drawn().size()).isEqualTo(3);
    }

    @Test
    void a_run_that_overlaps_others_counts_every_number_and_names_the_lowest() {
        check.drew("A", 101 * SECOND, 10, 5);
        check.drew("B", 102 * SECOND, 20, 5);
        check.drew("C", 103 * SECOND, 12, 10);
        assertThat(check.duplicates()).isEqualTo(5);
        assertThat(check.examples()).containsExactly("12 and 4 after it drawn again by C at 3.000000 s");
    }

    @Test
    void a_million_duplicates_are_counted_and_ten_are_described() {
        check.drew("A", 0, 1, 1_000_000);
        for (long value = 1; value <= 1_000_000; value++) {
            check.drew("B", 101 * SECOND, value, 1);
        }
        assertThat(check.duplicates()).isEqualTo(1_000_000);
        assertThat(check.examples())
                .hasSize(10)
                .startsWith("1 drawn again by B at 1.000000 s", "2 drawn again by B at 1.000000 s");
    }

    private void drawn(long... values) {
        for (long value : values) {
            check.drew("A", 0, value, 1);
        }
    }
}
