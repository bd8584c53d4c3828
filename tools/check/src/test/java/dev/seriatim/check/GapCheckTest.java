// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.NavigableSet;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GapCheckTest {

    @Test
    void exactly_start_to_counter_has_no_gap() {
        assertThat(new GapCheck(1, 4).check(numbers(1, 2, 3)).count()).isZero();
    }

    @Test
    void nothing_drawn_from_a_fresh_counter_has_no_gap() {
        assertThat(new GapCheck(1, 1).check(numbers()).count()).isZero();
    }

    @Test
    void each_missing_number_is_a_gap() {
        Gaps gaps = new GapCheck(1, 8).check(numbers(1, 4, 6, 7));
        assertThat(gaps).isEqualTo(new Gaps(3, 0, 0, 0, 0, 0, List.of("2 to 3: missing", "5: missing")));
    }

    @Test
    void a_counter_that_ran_ahead_of_what_was_committed_is_a_gap() {
        assertThat(new GapCheck(1, 4).check(numbers(1, 2)).missing()).isOne();
        assertThat(new GapCheck(1, 1L << 62).check(numbers(1, 2)).missing()).isEqualTo((1L << 62) - 3);
    }

    @Test
    void a_number_that_the_counter_does_not_know_of_is_stray() {
        Gaps gaps = new GapCheck(1, 3).check(numbers(0, 1, 2, 3, Long.MAX_VALUE));
        assertThat(gaps.stray()).isEqualTo(3);
        assertThat(gaps.missing()).isZero();
        assertThat(gaps.examples()).first().isEqualTo("0: committed, outside 1 to 2");
    }

    @Test
    void a_duplicate_fills_no_gap() {
        Gaps gaps = new GapCheck(1, 4).check(numbers(1, 1, 3));
        assertThat(gaps.missing()).isOne();
        assertThat(gaps.repeated()).isOne();
    }

    @Test
    void a_number_in_the_pool_is_not_missing() {
        assertThat(new GapCheck(1, 6).laidOut(set(2, 4, 5)).check(numbers(1, 3)).count())
                .isZero();
    }

    @Test
    void a_number_in_the_pool_beyond_the_counter_is_stray() {
        Gaps gaps = new GapCheck(1, 3).laidOut(set(2, 3)).check(numbers(1));
        assertThat(gaps.stray()).isOne();
        assertThat(gaps.examples()).containsExactly("2 to 3: laid out, not within 1 to 2");
    }

    @Test
    void a_number_that_is_committed_and_in_the_pool_is_in_both() {
        Gaps gaps = new GapCheck(1, 4).laidOut(set(2, 3)).check(numbers(1, 2));
        assertThat(gaps).isEqualTo(new Gaps(0, 0, 0, 0, 1, 0, List.of("2: both committed and laid out")));
    }

    @Test
    void an_acknowledged_number_that_is_not_committed_is_lost() {
        Gaps gaps = new GapCheck(1, 6).acknowledged(set(1, 2, 3, 5)).check(numbers(1, 4, 5));
        assertThat(gaps.lost()).isEqualTo(2);
        assertThat(gaps.missing()).isEqualTo(2);
        assertThat(gaps.examples()).containsExactly("2 to 3: missing", "2 to 3: acknowledged, not committed");
    }

    @Test
    void a_number_that_went_back_to_the_pool_after_its_commit_was_acknowledged_is_lost() {
        Gaps gaps = new GapCheck(1, 3).acknowledged(set(1, 2)).laidOut(set(2)).check(numbers(1));
        assertThat(gaps.lost()).isOne();
        assertThat(gaps.missing()).isZero();
    }

    @Test
    void an_unsure_number_may_be_committed_or_not_but_is_missing_all_the_same() {
        assertThat(new GapCheck(1, 3)
                        .unsure(set(2))
                        .allReported()
                        .acknowledged(set(1))
                        .check(numbers(1, 2))
                        .count())
                .isZero();
        assertThat(new GapCheck(1, 3).unsure(set(2)).check(numbers(1)).missing())
                .isOne();
        assertThat(new GapCheck(1, 2).unsure(set(2)).check(numbers(1)).count()).isZero();
    }

    @Test
    void a_number_that_nobody_reported_is_unexpected_only_where_all_was_reported() {
        GapCheck check = new GapCheck(1, 3).acknowledged(set(1));
        assertThat(check.check(numbers(1, 2)).count()).isZero();
        Gaps gaps = check.allReported().check(numbers(1, 2));
        assertThat(gaps.unexpected()).isOne();
        assertThat(gaps.examples()).containsExactly("2: committed, not acknowledged");
    }

    @Test
    void numbers_that_do_not_ascend_are_refused() {
        assertThatThrownBy(() -> new GapCheck(1, 4).check(numbers(1, 3, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("committed number 2 after 3; sort them in ascending order");
    }

    @Test
    void a_counter_below_the_start_is_refused() {
        assertThatThrownBy(() -> new GapCheck(4, 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void numbers_at_both_ends_of_64_bits_are_checked() {
        Gaps gaps = new GapCheck(Long.MAX_VALUE - 2, Long.MAX_VALUE)
                .acknowledged(set(Long.MIN_VALUE, Long.MAX_VALUE))
                .laidOut(set(Long.MIN_VALUE))
                .check(numbers(Long.MIN_VALUE, Long.MAX_VALUE - 1));
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
            Gaps gaps = new GapCheck(start, next)
                    .acknowledged(set(array(acknowledged)))
                    .unsure(set(array(unsure)))
                    .laidOut(set(array(laidOut)))
                    .allReported()
                    .check(numbers(array(committed)));
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

    private static PrimitiveIterator.OfLong numbers(long... numbers) {
        return LongStream.of(numbers).iterator();
    }

    private static ValueSet set(long... numbers) {
        ValueSet set = new ValueSet();
        LongStream.of(numbers).forEach(set::add);
        return set;
    }
}
