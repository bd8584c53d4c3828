// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AuditNumbersTest {

    private static final long MIN = Long.MIN_VALUE;
    private static final long MAX = Long.MAX_VALUE;

    private final List<String> found = new ArrayList<>();

    private Audit check(Dealt dealt, long... numbers) {
        found.clear();
        Audit check = new Audit(
                dealt,
                Long.MAX_VALUE,
                new Findings(
                        finding -> found.add(finding.kind().name().toLowerCase(Locale.ROOT) + " " + finding.text())),
                new AtomicLong());
        LongStream.of(numbers).forEach(check::number);
        check.end();
        return check;
    }

    /** A sequence that deals {@code counter} next. */
    private static Dealt next(long from, long increment, long counter) {
        return new Dealt(from, increment, counter, false);
    }

    /** A sequence that has dealt {@code last}, its last one. */
    private static Dealt usedUp(long from, long increment, long last) {
        return new Dealt(from, increment, last, true);
    }

    @Test
    void all_numbers_there_is_all_well() {
        Audit check = check(next(1, 1, 4), 1, 2, 3);
        assertThat(found).isEmpty();
        assertThat(check.missingAtEnd()).isEmpty();
        assertThat(check.undealt.range()).isEmpty();
        assertThat(check.rows).isEqualTo(3);
        assertThat(check.all.range()).contains(new NumberRange(1, 3, BigInteger.valueOf(3)));
    }

    @Test
    void gaps_are_ranges_also_at_the_beginning() {
        check(next(1, 1, 11), 3, 4, 6, 10);
        assertThat(found).containsExactly("gap 1 … 2 (2 numbers)", "gap 5", "gap 7 … 9 (3 numbers)");
        check(next(5, 10, 66), 5, 35, 55);
        assertThat(found).containsExactly("gap 15 … 25 (2 numbers)", "gap 45");
        check(next(-1, -3, -22), -1, -10, -19);
        assertThat(found).containsExactly("gap -4 … -7 (2 numbers)", "gap -13 … -16 (2 numbers)");
    }

    @Test
    void what_is_missing_at_the_end_is_no_gap() {
        assertThat(check(next(1, 1, 11), 1, 2).missingAtEnd()).hasToString("Optional[3 … 10 (8 numbers)]");
        assertThat(check(next(-1, -2, -9), -1).missingAtEnd()).hasToString("Optional[-3 … -7 (3 numbers)]");
        assertThat(check(next(1, 1, 11)).missingAtEnd()).hasToString("Optional[1 … 10 (10 numbers)]");
        assertThat(found).isEmpty();
        assertThat(check(next(1, 1, 1)).missingAtEnd()).isEmpty();
    }

    @Test
    void a_counter_off_the_step_is_passed_by_what_stands_before_it() {
        assertThat(check(next(1, 10, 25), 1, 11).missingAtEnd()).hasToString("Optional[21]");
        assertThat(check(next(1, 10, 21), 1, 11).missingAtEnd()).isEmpty();
        assertThat(check(next(1, 10, 22), 1, 11).missingAtEnd()).hasToString("Optional[21]");
    }

    @Test
    void a_number_in_several_rows_is_reported_once_with_their_number() {
        Audit check = check(next(1, 1, 4), 1, 1, 1, 2, 3, 3);
        assertThat(found).containsExactly("duplicate 1 (3 rows)", "duplicate 3 (2 rows)");
        assertThat(check.rows).isEqualTo(6);
    }

    @Test
    void strays_stand_before_the_start_or_off_the_step() {
        check(next(1, 10, 32), -9, 0, 1, 2, 3, 11, 21, 31);
        assertThat(found).containsExactly("stray -9 … 0 (2 numbers)", "stray 2 … 3 (2 numbers)");
        check(next(1, 10, 32), 1, 2, 21, 30);
        assertThat(found).containsExactly("stray 2", "gap 11", "stray 30");
    }

    @Test
    void numbers_behind_the_counter_are_yet_to_deal() {
        Audit check = check(next(1, 1, 3), 1, 2, 3, 7, 7);
        assertThat(check.undealt.range()).hasToString("Optional[3 … 7 (2 numbers)]");
        assertThat(found).containsExactly("duplicate 7 (2 rows)");
        assertThat(check(next(-1, -1, -3), -1, -2, -5).undealt.range()).hasToString("Optional[-5]");
        assertThat(check(usedUp(1, 1, 3), 1, 2, 3).undealt.range()).isEmpty();
        assertThat(check(usedUp(1, 1, 3), 1, 2, 3, 4).undealt.range()).hasToString("Optional[4]");
    }

    @Test
    void counts_exactly_at_both_ends_of_64_bits() {
        check(usedUp(MIN, 1, MAX), MIN, MAX);
        assertThat(found)
                .containsExactly("gap -9223372036854775807 … 9223372036854775806 (18446744073709551614 numbers)");
        assertThat(check(usedUp(MIN, 1, MAX)).missingAtEnd())
                .hasToString("Optional[-9223372036854775808 … 9223372036854775807 (18446744073709551616 numbers)]");
        assertThat(check(usedUp(MAX, -1, MIN), MAX, MIN + 1).missingAtEnd())
                .hasToString("Optional[-9223372036854775808]");
        assertThat(found).hasSize(1);
        assertThat(check(usedUp(MIN, 1, MAX), MAX).missingAtEnd()).isEmpty();
        assertThat(found)
                .containsExactly("gap -9223372036854775808 … 9223372036854775806 (18446744073709551615 numbers)");
        check(usedUp(MAX, MIN, -1), MAX, -1);
        assertThat(found).isEmpty();
        check(usedUp(MIN, MAX, MAX - 1), MIN, 0, MAX - 1);
        assertThat(found).containsExactly("stray 0", "gap -1");
    }

    @Test
    void numbers_that_a_store_did_not_sort_are_not_judged() {
        assertThatThrownBy(() -> check(next(1, 1, 9), 2, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> check(next(9, -1, 1), 1, 2)).isInstanceOf(IllegalStateException.class);
    }
}
