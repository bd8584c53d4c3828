// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fast path must agree exactly with the core's arithmetic wherever it applies. */
class WindowTest {

    private static final long[] CORNERS = {
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        Long.MIN_VALUE + 2,
        -100,
        -3,
        -2,
        -1,
        0,
        1,
        2,
        3,
        100,
        Long.MAX_VALUE - 2,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
    };

    private final Random random = new Random(20260101);

    @Test
    void inside_the_window_the_sum_is_what_the_core_computes_and_outside_it_the_row_is_read() {
        int inside = 0;
        for (int i = 0; i < 300_000; i++) {
            SequenceState state = state();
            long count = Math.abs(any() | 1);
            if (count < 1) {
                continue;
            }
            SequenceState after = state.take(count).after();
            Optional<Window> window = Window.of(state.definition(), count)
                    .filter(w -> w.low() <= state.nextValue() && state.nextValue() <= w.high());
            assertThat(window.isPresent())
                    .as("%s takes %d", state, count)
                    .isEqualTo(!after.usedUp() && fits(count, state.definition().increment()));
            if (window.isPresent()) {
                inside++;
                assertThat(Math.addExact(state.nextValue(), window.get().delta()))
                        .isEqualTo(after.nextValue());
            }
        }
        assertThat(inside).isGreaterThan(1000);
    }

    @Test
    void a_counter_one_step_behind_has_the_same_window_one_step_behind() {
        int inside = 0;
        for (int i = 0; i < 300_000; i++) {
            SequenceState state = state();
            BigInteger behind = BigInteger.valueOf(state.nextValue())
                    .subtract(BigInteger.valueOf(state.definition().increment()));
            if (behind.bitLength() > 63) {
                continue;
            }
            long count = random.nextLong(1, 6);
            Optional<Window> window = Window.of(state.definition(), count);
            boolean expected = window.filter(w -> w.low() <= state.nextValue() && state.nextValue() <= w.high())
                    .isPresent();
            boolean found = window.flatMap(
                            w -> w.oneStepBehind(state.definition().increment()))
                    .filter(w -> w.low() <= behind.longValueExact() && behind.longValueExact() <= w.high())
                    .isPresent();
            assertThat(found).as("%s takes %d", state, count).isEqualTo(expected);
            inside += found ? 1 : 0;
        }
        assertThat(inside).isGreaterThan(1000);
    }

    @Test
    void a_plain_counter_means_the_state_it_was_written_for() {
        int usedUp = 0;
        for (int i = 0; i < 300_000; i++) {
            SequenceState drawn = state();
            SequenceDefinition d = drawn.definition().toBuilder().cycle(false).build();
            SequenceState before = new SequenceState(d, drawn.nextValue(), false, 0);
            SequenceState state = before.take(random.nextLong(1, 6)).after();
            for (SequenceTable.Kind kind : List.of(SequenceTable.Kind.NEXT_VALUE, SequenceTable.Kind.LAST_VALUE)) {
                PlainRow row;
                try {
                    row = new PlainRow(new SequenceTable("t", "name", "value", kind, d));
                } catch (Misconfigured tooWide) {
                    continue;
                }
                assertThat(row.state("any", row.numbers(state))).as("%s", kind).isEqualTo(state);
                assertThat(row.state("any", row.numbers(before))).as("%s", kind).isEqualTo(before);
                usedUp += state.usedUp() ? 1 : 0;
            }
        }
        assertThat(usedUp).isGreaterThan(1000);
    }

    private static boolean fits(long count, long increment) {
        return BigInteger.valueOf(count).multiply(BigInteger.valueOf(increment)).bitLength() <= 63;
    }

    private SequenceState state() {
        long a = any();
        long b = any();
        long increment = any();
        long min = Math.min(a, b);
        long max = Math.max(a, b);
        long next = max - min >= 0 && max - min < Long.MAX_VALUE ? min + random.nextLong(max - min + 1) : a;
        return new SequenceState(
                new SequenceDefinition("any", min, increment == 0 ? 1 : increment, min, max, true, 1), next, false, 0);
    }

    private long any() {
        return random.nextInt(3) == 0
                ? random.nextInt(1000) - 500
                : random.nextInt(4) == 0 ? random.nextLong() : CORNERS[random.nextInt(CORNERS.length)];
    }
}
