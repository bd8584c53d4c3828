// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BitReversalTest {

    private final Transform reversed = Transform.bitReversed();

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 4611686018427387904",
        "2, 2305843009213693952",
        "3, 6917529027641081856",
        "4, 1152921504606846976",
        "5, 5764607523034234880",
        "9223372036854775807, 9223372036854775807",
        "9223372036854775806, 4611686018427387903",
    })
    void reverses_63_bits_and_back(long counter, long value) {
        assertThat(reversed.apply(counter)).isEqualTo(value);
        assertThat(reversed.invert(value)).isEqualTo(counter);
        assertThat(reversed.apply(value)).isEqualTo(counter);
        assertThat(reversed.skips(counter)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"-1", "-9223372036854775808"})
    void refuses_negative_numbers(long counter) {
        assertThatThrownBy(() -> reversed.apply(counter))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("from 0 to 9223372036854775807, not " + counter, "min value of 0");
        assertThatThrownBy(() -> reversed.invert(counter)).isInstanceOf(SequenceException.OutOfRange.class);
        assertThatThrownBy(() -> Transform.bitReversed(1, 2).skips(counter))
                .isInstanceOf(SequenceException.OutOfRange.class);
    }

    @Test
    void passes_over_what_would_lie_in_the_skip_range_with_both_its_ends() {
        Transform skipping = Transform.bitReversed(2305843009213693952L, 4611686018427387904L); // of 2 and of 1
        assertThat(skipping.skips(1)).isTrue();
        assertThat(skipping.skips(2)).isTrue();
        assertThat(skipping.skips(3)).isFalse();
        assertThat(skipping.apply(3)).isEqualTo(6917529027641081856L);
        assertThat(skipping.skips(reversed.invert(4611686018427387905L))).isFalse();
        assertThat(skipping.skips(reversed.invert(2305843009213693951L))).isFalse();
        assertThatThrownBy(() -> skipping.apply(1))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("1 is skipped", "4611686018427387904", "skip range");
        assertThatThrownBy(() -> skipping.invert(4611686018427387904L))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContaining("never dealt");
        assertThat(skipping.invert(6917529027641081856L)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 4, in order",
        "-1, 4, not be negative",
        "0, 9223372036854775807, leaves too little",
        "1, 9223372036854775806, leaves too little",
        "100000000000000000, 9200000000000000000, leaves too little",
    })
    void refuses_skip_ranges_that_are_none_or_leave_too_little(long min, long max, String message) {
        assertThatThrownBy(() -> Transform.bitReversed(min, max))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining(message);
    }

    @Test
    void leaves_one_of_128_neighbours_under_the_widest_skip_range() {
        long least = Long.MAX_VALUE / 64;
        for (Transform narrowest : new Transform[] {
            Transform.bitReversed(least, Long.MAX_VALUE), Transform.bitReversed(0, Long.MAX_VALUE - least)
        }) {
            int passed = 0;
            int longest = 0;
            for (long counter = 1; counter < 10_000; counter++) {
                passed = narrowest.skips(counter) ? passed + 1 : 0;
                longest = Math.max(longest, passed);
            }
            assertThat(longest).isBetween(1, 127);
        }
    }

    @Test
    void is_composed_and_taken_apart_in_order() {
        Transform shuffled = Transform.permuted(PermutationKey.derivedFrom("k"), 0, 999);
        Transform both = shuffled.andThen(reversed);
        assertThat(both.apply(7)).isEqualTo(reversed.apply(shuffled.apply(7)));
        assertThat(both.invert(both.apply(7))).isEqualTo(7);
        Transform skipping = shuffled.andThen(Transform.bitReversed(0, Long.MAX_VALUE / 2));
        for (long number = 0; number < 1000; number++) {
            assertThat(skipping.skips(number)).isEqualTo(shuffled.apply(number) % 2 == 0);
        }
    }

    @Test
    void is_a_value() {
        assertThat(Transform.bitReversed()).isEqualTo(reversed);
        assertThat(Transform.bitReversed(1, 2))
                .isEqualTo(Transform.bitReversed(1, 2))
                .isNotEqualTo(reversed);
        assertThat(Transform.identity().andThen(reversed)).isEqualTo(reversed);
        assertThat(reversed.andThen(Transform.identity())).isEqualTo(reversed);
        assertThat(Transform.identity().apply(-3)).isEqualTo(-3);
        assertThat(Transform.identity().invert(-3)).isEqualTo(-3);
    }

    @Test
    void may_pass_over_a_single_number() {
        Transform skipping = Transform.bitReversed(4611686018427387904L, 4611686018427387904L); // of 1
        assertThat(skipping.skips(1)).isTrue();
        assertThat(skipping.skips(2)).isFalse();
        assertThat(Transform.bitReversed(0, 0).skips(0)).isTrue();
    }

    @Test
    void a_chain_has_a_range_where_one_of_its_transforms_has() {
        Transform permuted = Transform.permuted(PermutationKey.derivedFrom("k"), 0, 999);
        assertThat(permuted.andThen(reversed).hasRange()).isTrue();
        assertThat(reversed.andThen(permuted).hasRange()).isTrue();
        assertThat(reversed.andThen(reversed).hasRange()).isFalse();
    }
}
