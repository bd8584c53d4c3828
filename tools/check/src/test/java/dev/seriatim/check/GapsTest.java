// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GapsTest {

    /** Every committed number was acknowledged, and no other. */
    private static Gaps gaps(long start, long next, long... committed) {
        return gaps(start, next, set(committed), set(), set(committed), set());
    }

    private static Gaps gaps(
            long start, long next, ValueSet committed, ValueSet laidOut, ValueSet acknowledged, ValueSet unsure) {
        return Gaps.of(new Gaps.Found(start, next, committed, laidOut, acknowledged, unsure));
    }

    @Test
    void exactly_start_to_counter_has_no_gap() {
        assertThat(gaps(1, 4, 1, 2, 3).count()).isZero();
    }

    @Test
    void nothing_drawn_from_a_fresh_counter_has_no_gap() {
        assertThat(gaps(1, 1).count()).isZero();
    }

    @Test
    void each_missing_number_is_a_gap() {
        assertThat(gaps(1, 8, 1, 4, 6, 7)).isEqualTo(new Gaps(3, 0, 0, 0, 0, List.of("2 to 3: missing", "5: missing")));
    }

    @Test
    void a_counter_that_ran_ahead_of_what_was_committed_is_a_gap() {
        assertThat(gaps(1, 4, 1, 2).missing()).isOne();
        assertThat(gaps(1, 1L << 62, 1, 2).missing()).isEqualTo((1L << 62) - 3);
    }

    @Test
    void a_number_that_the_counter_does_not_know_of_is_stray() {
        Gaps gaps = gaps(1, 3, 0, 1, 2, 3, Long.MAX_VALUE);
        assertThat(gaps.stray()).isEqualTo(3);
        assertThat(gaps.missing()).isZero();
        assertThat(gaps.examples()).first().isEqualTo("0: committed, outside 1 to 2");
    }

    @Test
    void a_number_in_the_pool_is_not_missing() {
        assertThat(gaps(1, 6, set(1, 3), set(2, 4, 5), set(1, 3), set()).count())
                .isZero();
    }

    @Test
    void a_number_in_the_pool_beyond_the_counter_is_stray() {
        Gaps gaps = gaps(1, 3, set(1), set(2, 3), set(1), set());
        assertThat(gaps.stray()).isOne();
        assertThat(gaps.examples()).containsExactly("3: laid out, outside 1 to 2");
    }

    @Test
    void a_number_that_is_committed_and_in_the_pool_is_in_both() {
        assertThat(gaps(1, 4, set(1, 2), set(2, 3), set(1, 2), set()))
                .isEqualTo(new Gaps(0, 0, 0, 0, 1, List.of("2: both committed and laid out")));
    }

    @Test
    void an_acknowledged_number_that_is_not_committed_is_lost() {
        Gaps gaps = gaps(1, 6, set(1, 4, 5), set(), set(1, 2, 3, 5), set(4));
        assertThat(gaps.lost()).isEqualTo(2);
        assertThat(gaps.missing()).isEqualTo(2);
        assertThat(gaps.examples()).containsExactly("2 to 3: missing", "2 to 3: acknowledged, not committed");
    }

    @Test
    void a_number_that_went_back_to_the_pool_after_its_commit_was_acknowledged_is_lost() {
        Gaps gaps = gaps(1, 3, set(1), set(2), set(1, 2), set());
        assertThat(gaps.lost()).isOne();
        assertThat(gaps.missing()).isZero();
    }

    @Test
    void an_unsure_number_may_be_committed_or_not_but_is_missing_all_the_same() {
        assertThat(gaps(1, 3, set(1, 2), set(), set(1), set(2)).count()).isZero();
        assertThat(gaps(1, 3, set(1), set(), set(1), set(2)).missing()).isOne();
        assertThat(gaps(1, 2, set(1), set(), set(1), set(2)).count()).isZero();
    }

    @Test
    void a_committed_number_that_no_caller_reported_is_unexpected() {
        Gaps gaps = gaps(1, 3, set(1, 2), set(), set(1), set());
        assertThat(gaps.unexpected()).isOne();
        assertThat(gaps.examples()).containsExactly("2: committed, not acknowledged");
    }

    @Test
    void a_counter_below_the_start_is_refused() {
        assertThatThrownBy(() -> gaps(4, 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void numbers_at_both_ends_of_64_bits_are_checked() {
        Gaps gaps = gaps(
                Long.MAX_VALUE - 2,
                Long.MAX_VALUE,
                set(Long.MIN_VALUE, Long.MAX_VALUE - 1),
                set(Long.MIN_VALUE),
                set(Long.MIN_VALUE, Long.MAX_VALUE),
                set());
        assertThat(gaps.stray()).isOne();
        assertThat(gaps.missing()).isOne();
        assertThat(gaps.inBoth()).isOne();
        assertThat(gaps.lost()).isOne();
    }

    @Test
    void it_agrees_with_looking_at_every_number() {
        for (long seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            long start = random.nextInt(5);
            long next = start + random.nextInt(30);
            NavigableSet<Long> committed = some(random);
            NavigableSet<Long> acknowledged = some(random);
            NavigableSet<Long> unsure = some(random);
            NavigableSet<Long> laidOut = some(random);
            Gaps gaps = gaps(
                    start,
                    next,
                    set(array(committed)),
                    set(array(laidOut)),
                    set(array(acknowledged)),
                    set(array(unsure)));
            long missing = LongStream.range(start, next)
                    .filter(n -> !committed.contains(n) && !laidOut.contains(n))
                    .count();
            long stray = LongStream.range(-10, 60)
                    .filter(n -> n < start || n >= next)
                    .filter(n -> committed.contains(n) || laidOut.contains(n))
                    .count();
            assertThat(new long[] {gaps.missing(), gaps.stray(), gaps.lost(), gaps.unexpected(), gaps.inBoth()})
                    .as("seed %d", seed)
                    .containsExactly(
                            missing,
                            stray,
                            acknowledged.stream()
                                    .filter(n -> !committed.contains(n))
                                    .count(),
                            committed.stream()
                                    .filter(n -> !acknowledged.contains(n) && !unsure.contains(n))
                                    .count(),
                            committed.stream().filter(laidOut::contains).count());
        }
    }

    private static NavigableSet<Long> some(Random random) {
        NavigableSet<Long> some = new TreeSet<>();
        int share = random.nextInt(5);
        for (long n = -2; n < 38; n++) {
            if (random.nextInt(4) < share) {
                some.add(n);
            }
        }
        return some;
    }

    private static long[] array(NavigableSet<Long> set) {
        return set.stream().mapToLong(n -> n).toArray();
    }

    private static ValueSet set(long... numbers) {
        ValueSet set = new ValueSet();
        LongStream.of(numbers).forEach(set::add);
        return set;
    }
}
