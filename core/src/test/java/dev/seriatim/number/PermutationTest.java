// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermutationTest {

    private static final int MANY = 1000;
    private static final PermutationKey KEY =
            PermutationKey.of(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});

    private static PermutationKey anyKey(Random random) {
        byte[] bytes = new byte[PermutationKey.LENGTH];
        random.nextBytes(bytes);
        return PermutationKey.of(bytes);
    }

    /** The mapping must never change. These values were computed by another program, from the description alone. */
    @ParameterizedTest
    @CsvSource({
        "100000, 999999, 100000, 274650",
        "100000, 999999, 100001, 383936",
        "100000, 999999, 100002, 989496",
        "100000, 999999, 555555, 313573",
        "100000, 999999, 999999, 623438",
        "1, 300, 1, 27",
        "1, 300, 2, 229",
        "1, 300, 3, 149",
        "1, 300, 300, 16",
        "1, 10, 1, 5",
        "1, 10, 2, 7",
        "1, 10, 10, 1",
        "1, 9223372036854775807, 1, 6447686214272886930",
        "1, 9223372036854775807, 9223372036854775807, 120029876289990028",
        "-9223372036854775808, 9223372036854775807, -9223372036854775808, 5093604950925997939",
        "-9223372036854775808, 9223372036854775807, -1, -507002402743084967",
        "-9223372036854775808, 9223372036854775807, 0, 8054585137293553710",
        "-9223372036854775808, 9223372036854775807, 9223372036854775807, 1581826351196749011",
        "-5, 1099511627776, 0, 501165123235",
        "7, 7, 7, 7",
    })
    void maps_as_it_always_has(long min, long max, long number, long permuted) {
        Transform transform = Transform.permuted(KEY, min, max);
        assertThat(transform.apply(number)).isEqualTo(permuted);
        assertThat(transform.invert(permuted)).isEqualTo(number);
    }

    @Test
    void derives_keys_as_it_always_has() {
        Transform transform = Transform.permuted(PermutationKey.derivedFrom("correct horse"), 1, 999_999);
        assertThat(LongStream.of(1, 2, 3).map(transform::apply).toArray()).containsExactly(459181, 27465, 665874);
    }

    @Test
    void keeps_1000_numbers_of_any_range_under_any_key_distinct_inside_and_invertible() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            int bits = 1 + random.nextInt(Long.SIZE);
            long span = random.nextLong() >>> (Long.SIZE - bits);
            long min = span < 0
                    ? Long.MIN_VALUE + (random.nextLong() & ~span)
                    : random.nextLong() % (Long.MAX_VALUE - span + 1);
            long max = min + span;
            Transform transform = Transform.permuted(anyKey(random), min, max);
            long first = Long.compareUnsigned(span, MANY) < 0
                    ? min
                    : min + Long.remainderUnsigned(random.nextLong(), span - MANY + 1);
            long count = Long.compareUnsigned(span, MANY) < 0 ? span + 1 : MANY;
            long[] permuted = LongStream.range(0, count)
                    .map(i -> transform.apply(first + i))
                    .toArray();
            String what = "seed " + seed + ", " + min + " … " + max + " from " + first;
            assertThat(LongStream.of(permuted).distinct().count()).as(what).isEqualTo(count);
            assertThat(LongStream.of(permuted).allMatch(n -> n >= min && n <= max))
                    .as(what)
                    .isTrue();
            assertThat(LongStream.of(permuted).map(transform::invert).toArray())
                    .as(what)
                    .containsExactly(
                            LongStream.range(0, count).map(i -> first + i).toArray());
        }
    }

    @Test
    void goes_through_every_number_of_a_small_range_once() {
        for (int size = 1; size <= 300; size++) {
            Transform transform = Transform.permuted(KEY, -7, -7 + size - 1);
            BitSet seen = new BitSet(size);
            for (int place = 0; place < size; place++) {
                long permuted = transform.apply(-7 + place);
                seen.set((int) (permuted + 7));
                assertThat(transform.invert(permuted)).isEqualTo(-7 + place);
            }
            assertThat(seen.cardinality()).isEqualTo(size);
            assertThat(seen.length()).isEqualTo(size);
        }
    }

    @Test
    void keeps_the_count_of_digits_where_both_ends_have_it() {
        Transform transform = Transform.permuted(KEY, 100_000, 999_999);
        assertThat(LongStream.range(100_000, 110_000)
                        .map(transform::apply)
                        .allMatch(n -> String.valueOf(n).length() == 6))
                .isTrue();
    }

    private static OrderTraces tracesOf(LongUnaryOperator mapping) {
        return OrderTraces.of(LongStream.range(1, 1 + MANY).map(mapping).toArray());
    }

    @Test
    void leaves_no_trace_of_the_order() {
        for (String secret : new String[] {"a", "b", "c", "d", "e"}) {
            Transform transform = Transform.permuted(PermutationKey.derivedFrom(secret), 1, 999_999_999_999L);
            assertThat(tracesOf(transform::apply)).as(secret).matches(traces -> !traces.found());
        }
    }

    @Test
    void a_trace_of_the_order_would_be_found() {
        assertThat(tracesOf(n -> n).found()).isTrue();
        assertThat(tracesOf(n -> -n).found()).isTrue();
        assertThat(tracesOf(n -> n * 387_420_489L % 999_999_999_989L).found()).isTrue();
        assertThat(tracesOf(n -> n ^ 0x5555).found()).isTrue();
        assertThat(tracesOf(Transform.bitReversed()::apply).found()).isTrue();
    }

    @Test
    void sends_a_number_of_a_small_range_to_every_place_about_equally_often() {
        int[] places = new int[10];
        for (int i = 0; i < 10_000; i++) {
            places[
                    (int) Transform.permuted(PermutationKey.derivedFrom("key " + i), 1, 10)
                                    .apply(1)
                            - 1]++;
        }
        assertThat(Arrays.stream(places).allMatch(n -> n > 850 && n < 1150))
                .as(Arrays.toString(places))
                .isTrue();
    }

    @Test
    void is_another_one_under_another_key_and_in_another_range() {
        Transform one = Transform.permuted(KEY, 1, 1000);
        Transform byKey = Transform.permuted(PermutationKey.derivedFrom("other"), 1, 1000);
        Transform wider = Transform.permuted(KEY, 1, 1001);
        Transform moved = Transform.permuted(KEY, 2, 1001);
        for (Transform other : new Transform[] {byKey, wider, moved}) {
            long same = LongStream.rangeClosed(2, 1000)
                    .filter(n -> one.apply(n) - 1 == other.apply(n) - (other == moved ? 2 : 1))
                    .count();
            assertThat(same).isLessThan(20);
        }
    }

    @Test
    void refuses_numbers_outside_its_range_and_says_that_the_range_is_part_of_the_key() {
        Transform transform = Transform.permuted(KEY, 1, 999);
        assertThatThrownBy(() -> transform.apply(1000))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("1000 is outside 1 … 999", "part of its key", "keep the sequence within");
        assertThatThrownBy(() -> transform.invert(0)).isInstanceOf(SequenceException.OutOfRange.class);
        assertThatThrownBy(() -> Transform.permuted(KEY, 2, 1))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("2 … 1");
    }

    @Test
    void is_a_value_that_keeps_its_secret() {
        Transform transform = Transform.permuted(KEY, 1, 9);
        assertThat(transform).isEqualTo(Transform.permuted(KEY, 1, 9)).hasSameHashCodeAs(Transform.permuted(KEY, 1, 9));
        assertThat(transform).isNotEqualTo(Transform.permuted(KEY, 1, 8));
        assertThat(transform).isNotEqualTo(Transform.permuted(PermutationKey.derivedFrom("x"), 1, 9));
        assertThat(transform).hasToString("Permutation[min=1, max=9]");
    }
}
