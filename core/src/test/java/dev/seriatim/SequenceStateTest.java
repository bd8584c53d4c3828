// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SequenceStateTest {

    private static final long[] EDGES = {
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        Long.MIN_VALUE / 2,
        -3,
        -1,
        0,
        1,
        2,
        10,
        Long.MAX_VALUE / 2,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
    };

    /** The same rules in unbounded arithmetic, which cannot overflow. */
    private static final class Model {
        final SequenceDefinition definition;
        BigInteger next;

        Model(SequenceDefinition definition) {
            this.definition = definition;
            this.next = BigInteger.valueOf(definition.start());
        }

        boolean usedUp() {
            return next.compareTo(BigInteger.valueOf(definition.max())) > 0
                    || next.compareTo(BigInteger.valueOf(definition.min())) < 0;
        }

        BigInteger left() {
            if (usedUp()) {
                return BigInteger.ZERO;
            }
            BigInteger bound = BigInteger.valueOf(definition.ascending() ? definition.max() : definition.min());
            return bound.subtract(next)
                    .divide(BigInteger.valueOf(definition.increment()))
                    .add(BigInteger.ONE);
        }

        /** The count dealt, and the counter moved on. */
        long take(long count) {
            BigInteger taken = left().min(BigInteger.valueOf(count));
            next = next.add(taken.multiply(BigInteger.valueOf(definition.increment())));
            return taken.longValueExact();
        }
    }

    @Test
    void agrees_with_unbounded_arithmetic_at_every_edge_of_64_bits() {
        Random random = new Random(20240229);
        int exhausted = 0;
        for (int i = 0; i < 20_000; i++) {
            long a = pick(random);
            long b = pick(random);
            long start = pick(random);
            long increment = pick(random);
            if (increment == 0 || start < Math.min(a, b) || start > Math.max(a, b)) {
                continue;
            }
            SequenceDefinition definition =
                    new SequenceDefinition("s", start, increment, Math.min(a, b), Math.max(a, b), false, 10);
            Model model = new Model(definition);
            SequenceState state = SequenceState.fresh(definition, 0);
            for (int draw = 0; draw < 6; draw++) {
                assertThat(state.valuesLeft()).as("%s", definition).isEqualTo(model.left());
                long count = Math.max(1, Math.abs(pick(random) + 1));
                if (model.usedUp()) {
                    SequenceState ended = state;
                    assertThatThrownBy(() -> ended.take(count)).isInstanceOf(SequenceException.Exhausted.class);
                    exhausted++;
                    break;
                }
                BigInteger first = model.next;
                long taken = model.take(count);
                SequenceState.Taken step = state.take(count);
                assertThat(step.reservation().block())
                        .as("%s take %d", definition, count)
                        .isEqualTo(new Block(first.longValueExact(), taken, increment));
                state = step.after();
                assertThat(state.usedUp()).isEqualTo(model.usedUp());
            }
        }
        assertThat(exhausted).as("the edges must have been reached").isGreaterThan(1000);
    }

    private static long pick(Random random) {
        return random.nextInt(4) == 0 ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
    }

    @Test
    void tells_the_share_of_the_range_that_is_used() {
        SequenceState state =
                SequenceState.fresh(SequenceDefinition.named("s").maxValue(10L).build(), 0);
        assertThat(state.usedRatio()).isZero();
        assertThat(state.take(5).after().usedRatio()).isEqualTo(0.5);
        assertThat(state.take(10).after().usedRatio()).isEqualTo(1);
        assertThat(state.take(10).after().valuesLeft()).isZero();
    }

    @Test
    void refuses_definitions_that_break_a_rule_and_says_which() {
        assertRefused(SequenceDefinition.named("s").incrementBy(0), "increment", "0");
        assertRefused(SequenceDefinition.named("s").minValue(5L).maxValue(4L), "min value 5", "max value 4");
        assertRefused(SequenceDefinition.named("s").startWith(0L), "start 0", "min value 1");
        assertRefused(SequenceDefinition.named("s").maxValue(9L).startWith(10L), "start 10", "max value 9");
        assertRefused(SequenceDefinition.named("s").cache(0), "cache", "0");
        assertRefused(SequenceDefinition.named(""), "empty");
        assertRefused(SequenceDefinition.named("x".repeat(65)), "65", "64");
    }

    private static void assertRefused(SequenceDefinition.Builder builder, String... words) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void keeps_every_message_on_one_line_whatever_the_name() {
        assertThatThrownBy(() ->
                        SequenceDefinition.named("a\nb\u0000").incrementBy(0).build())
                .hasMessageContaining("'a\\u000ab\\u0000'")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void takes_defaults_from_the_direction() {
        SequenceDefinition down = SequenceDefinition.named("s").incrementBy(-1).build();
        assertThat(down.start()).isEqualTo(-1);
        assertThat(down.min()).isEqualTo(Long.MIN_VALUE);
        SequenceDefinition up = SequenceDefinition.of("s");
        assertThat(up.start()).isEqualTo(1);
        assertThat(up.max()).isEqualTo(Long.MAX_VALUE);
    }
}
