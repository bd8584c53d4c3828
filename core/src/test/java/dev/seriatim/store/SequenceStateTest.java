// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import java.math.BigInteger;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

        /** Returns the number of values dealt, and moves the counter. */
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

    private static final SequenceDefinition UP =
            SequenceDefinition.named("s").minValue(0L).maxValue(10L).build();
    private static final SequenceDefinition DOWN = SequenceDefinition.named("s")
            .incrementBy(-1)
            .minValue(0L)
            .maxValue(10L)
            .build();

    private static SequenceState at(SequenceDefinition definition, long next) {
        return new SequenceState(definition, next, false, 3);
    }

    private static SequenceState usedUp(SequenceDefinition definition, long last) {
        return new SequenceState(definition, last, true, 3);
    }

    private static void assertRefused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void is_inside_its_bounds_the_bounds_included() {
        assertThat(at(UP, 0).nextValue()).isZero();
        assertThat(at(UP, 10).nextValue()).isEqualTo(10);
        assertRefused(() -> at(UP, -1), "the counter -1 is outside 0 … 10");
        assertRefused(() -> at(UP, 11), "the counter 11 is outside 0 … 10");
    }

    @Test
    void begins_a_cycle_at_its_origin_in_a_new_epoch() {
        SequenceDefinition up = UP.toBuilder().startWith(5L).cycle(true).build();
        assertThat(usedUp(up, 10).take(3).reservation()).isEqualTo(new Reservation(new Block(0, 3, 1), up, 4));
        SequenceDefinition down = DOWN.toBuilder().startWith(5L).cycle(true).build();
        assertThat(usedUp(down, 0).take(3).after()).isEqualTo(new SequenceState(down, 7, false, 4));
    }

    @Test
    void takes_the_definitions_block_when_it_is_not_told_how_many() {
        SequenceDefinition definition = UP.toBuilder().cache(4).build();
        assertThat(at(definition, 2).take(SequenceStore.CACHE).reservation().block())
                .isEqualTo(new Block(2, 4, 1));
    }

    @Test
    void takes_back_only_what_was_taken_last() {
        assertThat(at(UP, 5).giveBack(new Block(3, 2, 1), 3)).contains(at(UP, 3));
        assertThat(at(UP, 1).giveBack(new Block(0, 1, 1), 3)).contains(at(UP, 0));
        assertThat(usedUp(UP, 10).giveBack(new Block(10, 1, 1), 3)).contains(at(UP, 10));
        assertThat(usedUp(UP, 10).giveBack(new Block(8, 3, 1), 3)).contains(at(UP, 8));
        assertThat(at(DOWN, 5).giveBack(new Block(7, 2, -1), 3)).contains(at(DOWN, 7));
        assertThat(at(UP, 6).giveBack(new Block(3, 2, 1), 3))
                .as("others took 5")
                .isEmpty();
        assertThat(at(UP, 10).giveBack(new Block(9, 2, 1), 3))
                .as("10 is still to come")
                .isEmpty();
        assertThat(usedUp(UP, 10).giveBack(new Block(8, 2, 1), 3))
                .as("others took 10")
                .isEmpty();
        assertThat(at(UP, 5).giveBack(new Block(3, 2, 1), 2))
                .as("an older epoch")
                .isEmpty();
        assertThat(at(UP, 5).giveBack(new Block(4, 1, 2), 3))
                .as("another increment")
                .isEmpty();
    }

    @Test
    void takes_nothing_back_that_lies_outside_its_bounds_now() {
        SequenceDefinition from3 = UP.toBuilder().startWith(3L).minValue(3L).build();
        assertThat(at(from3, 5).giveBack(new Block(3, 2, 1), 3)).contains(at(from3, 3));
        assertThat(at(from3, 5).giveBack(new Block(2, 3, 1), 3)).isEmpty();
        SequenceDefinition to7 = DOWN.toBuilder().startWith(7L).maxValue(7L).build();
        assertThat(at(to7, 5).giveBack(new Block(7, 2, -1), 3)).contains(at(to7, 7));
        assertThat(at(to7, 5).giveBack(new Block(8, 3, -1), 3)).isEmpty();
    }

    @Test
    void is_raised_in_its_direction_alone() {
        assertThat(at(UP, 5).raisedTo(6)).isEqualTo(at(UP, 6));
        assertThat(at(UP, 5).raisedTo(5)).isEqualTo(at(UP, 5));
        assertThat(at(UP, 5).raisedTo(4)).isEqualTo(at(UP, 5));
        assertThat(at(UP, 5).raisedTo(10)).isEqualTo(at(UP, 10));
        assertThat(at(DOWN, 5).raisedTo(4)).isEqualTo(at(DOWN, 4));
        assertThat(at(DOWN, 5).raisedTo(5)).isEqualTo(at(DOWN, 5));
        assertThat(at(DOWN, 5).raisedTo(6)).isEqualTo(at(DOWN, 5));
        assertThat(at(DOWN, 5).raisedTo(0)).isEqualTo(at(DOWN, 0));
        assertThat(usedUp(UP, 10).raisedTo(10)).as("10 was dealt").isEqualTo(usedUp(UP, 10));
        assertThat(usedUp(DOWN, 0).raisedTo(0)).as("0 was dealt").isEqualTo(usedUp(DOWN, 0));
        assertRefused(() -> at(UP, 5).raisedTo(11), "raise to 11 is outside its bounds 0 … 10");
        assertRefused(() -> at(DOWN, 5).raisedTo(-1), "raise to -1 is outside its bounds 0 … 10");
    }

    @Test
    void knows_its_next_value_beyond_another() {
        assertThat(at(UP, 5).isBeyond(4)).isTrue();
        assertThat(at(UP, 5).isBeyond(5)).isFalse();
        assertThat(usedUp(UP, 10).isBeyond(10)).as("10 was dealt").isTrue();
        assertThat(at(DOWN, 5).isBeyond(6)).isTrue();
        assertThat(at(DOWN, 5).isBeyond(5)).isFalse();
        assertThat(usedUp(DOWN, 0).isBeyond(0)).as("0 was dealt").isTrue();
        assertThat(at(UP, 5).nextBeyond(7)).isEqualTo(8);
        assertThat(at(DOWN, 5).nextBeyond(3)).isEqualTo(2);
        SequenceDefinition threes = UP.toBuilder().incrementBy(3).build();
        assertThat(at(threes, 3).nextBeyond(5)).isEqualTo(6);
        assertThat(at(threes, 3).nextBeyond(6)).isEqualTo(9);
        assertRefused(() -> at(UP, 5).nextBeyond(10), "its next number after 10 is beyond max value 10; alter that");
        assertRefused(() -> at(DOWN, 5).nextBeyond(0), "its next number after 0 is beyond min value 0; alter that");
        assertRefused(() -> at(threes, 3).nextBeyond(9), "its next number after 9 is beyond max value 10");
        SequenceDefinition all =
                SequenceDefinition.named("s").minValue(Long.MIN_VALUE).build();
        assertThat(at(all, Long.MIN_VALUE).nextBeyond(Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void is_restarted_anywhere_inside_its_bounds_in_a_new_epoch() {
        assertThat(at(UP, 5).restartedWith(0)).isEqualTo(new SequenceState(UP, 0, false, 4));
        assertThat(usedUp(UP, 10).restartedWith(10)).isEqualTo(new SequenceState(UP, 10, false, 4));
        assertRefused(() -> at(UP, 5).restartedWith(-1), "restart with -1 is outside its bounds 0 … 10");
        assertRefused(() -> at(UP, 5).restartedWith(11), "restart with 11 is outside its bounds 0 … 10");
    }

    @Test
    void keeps_its_counter_under_another_definition() {
        SequenceDefinition wider = UP.toBuilder().maxValue(20L).build();
        assertThat(at(UP, 5).redefined(wider)).isEqualTo(at(wider, 5));
        assertThat(at(UP, 5).redefined(DOWN))
                .as("a new direction, a new epoch")
                .isEqualTo(new SequenceState(DOWN, 5, false, 4));
        assertThat(usedUp(UP, 10).redefined(wider)).as("room after 10").isEqualTo(at(wider, 11));
        assertThat(usedUp(UP, 10).redefined(UP)).isEqualTo(usedUp(UP, 10));
        SequenceDefinition byTwenty = wider.toBuilder().incrementBy(20).build();
        assertThat(usedUp(UP, 10).redefined(byTwenty)).as("no step fits").isEqualTo(usedUp(byTwenty, 10));
        SequenceDefinition byTen = wider.toBuilder().incrementBy(10).build();
        assertThat(usedUp(UP, 10).redefined(byTen)).as("one step fits").isEqualTo(at(byTen, 20));
        assertRefused(() -> at(UP, 5).redefined(SequenceDefinition.of("other")), "'s'", "cannot rename");
    }

    @Test
    void refuses_bounds_that_its_counter_is_outside_of_and_says_on_which_side() {
        assertThat(at(UP, 5).redefined(UP.toBuilder().maxValue(5L).build()).nextValue())
                .isEqualTo(5);
        assertThat(at(UP, 5)
                        .redefined(UP.toBuilder().startWith(5L).minValue(5L).build())
                        .nextValue())
                .isEqualTo(5);
        SequenceDefinition above = UP.toBuilder().startWith(6L).minValue(6L).build();
        SequenceDefinition below = UP.toBuilder().maxValue(4L).build();
        assertRefused(() -> at(UP, 5).redefined(above), "stands at 5, outside the new bounds 6 … 10; raise it");
        assertRefused(() -> at(UP, 5).redefined(below), "stands at 5, outside the new bounds 0 … 4; choose bounds");
        SequenceDefinition downAbove = DOWN.toBuilder().minValue(6L).build();
        SequenceDefinition downBelow =
                DOWN.toBuilder().startWith(4L).maxValue(4L).build();
        assertRefused(() -> at(DOWN, 5).redefined(downAbove), "outside the new bounds 6 … 10; choose bounds");
        assertRefused(() -> at(DOWN, 5).redefined(downBelow), "outside the new bounds 0 … 4; raise it");
    }

    @Test
    void is_behind_an_earlier_look_in_its_direction_or_of_an_older_epoch() {
        assertThat(at(UP, 4).isBehind(at(UP, 5))).isTrue();
        assertThat(at(UP, 5).isBehind(at(UP, 5))).isFalse();
        assertThat(at(UP, 6).isBehind(at(UP, 5))).isFalse();
        assertThat(at(DOWN, 6).isBehind(at(DOWN, 5))).isTrue();
        assertThat(at(DOWN, 5).isBehind(at(DOWN, 5))).isFalse();
        assertThat(at(DOWN, 4).isBehind(at(DOWN, 5))).isFalse();
        assertThat(at(UP, 10).isBehind(usedUp(UP, 10))).as("10 was dealt").isTrue();
        assertThat(usedUp(UP, 10).isBehind(usedUp(UP, 10))).isFalse();
        assertThat(usedUp(UP, 10).isBehind(at(UP, 10))).isFalse();
        SequenceState older = new SequenceState(UP, 9, false, 2);
        assertThat(older.isBehind(at(UP, 5))).isTrue();
        assertThat(at(UP, 5).isBehind(older)).isFalse();
    }

    @Test
    void tells_what_was_dealt_last() {
        assertThat(at(UP, 5).lastDealt()).isEqualTo(4);
        assertThat(at(DOWN, 5).lastDealt()).isEqualTo(6);
        assertThat(usedUp(UP, 10).lastDealt()).isEqualTo(10);
    }

    @Test
    void tells_the_share_that_is_used_of_a_range_that_counts_down_or_is_as_wide_as_64_bits() {
        assertThat(at(DOWN, 10).usedRatio()).isZero();
        assertThat(at(DOWN, 0).usedRatio()).isEqualTo(10 / 11.0);
        SequenceDefinition all =
                SequenceDefinition.named("s").minValue(Long.MIN_VALUE).build();
        assertThat(at(all, 0).usedRatio()).isEqualTo(0.5);
    }

    @Test
    void ends_where_no_step_fits_any_more() {
        SequenceDefinition byThree = UP.toBuilder().incrementBy(3).build();
        assertThat(byThree.endsAt(7)).isFalse();
        assertThat(byThree.endsAt(8)).isTrue();
        assertThat(byThree.endsAt(10)).isTrue();
        assertThat(byThree.endsAt(11)).isTrue();
        SequenceDefinition downByThree = DOWN.toBuilder().incrementBy(-3).build();
        assertThat(downByThree.endsAt(3)).isFalse();
        assertThat(downByThree.endsAt(2)).isTrue();
        assertThat(downByThree.endsAt(0)).isTrue();
        assertThat(downByThree.endsAt(-1)).isTrue();
        SequenceDefinition aboveZero = downByThree.toBuilder().minValue(2L).build();
        assertThat(aboveZero.endsAt(5)).isFalse();
        assertThat(aboveZero.endsAt(4)).isTrue();
        assertThat(UP.origin()).isZero();
        assertThat(DOWN.origin()).isEqualTo(10);
    }

    @Test
    void has_every_part_in_a_builder_of_its_own() {
        SequenceDefinition definition = new SequenceDefinition("s", 4, -2, -7, 8, true, 5);
        assertThat(definition.toBuilder().build()).isEqualTo(definition);
        SequenceDefinition defaults = definition.toBuilder()
                .incrementBy(1)
                .defaultStart()
                .noMinValue()
                .noMaxValue()
                .cycle(false)
                .cache(100)
                .build();
        assertThat(defaults).isEqualTo(new SequenceDefinition("s", 1, 1, 1, Long.MAX_VALUE, false, 100));
    }

    @Test
    void is_built_from_plain_numbers() {
        assertThat(SequenceDefinition.named("s")
                        .startWith(1)
                        .minValue(0)
                        .maxValue(9)
                        .build())
                .isEqualTo(new SequenceDefinition("s", 1, 1, 0, 9, false, 100));
    }

    @Test
    void may_lie_at_its_bounds() {
        assertThat(new SequenceDefinition("s", 5, 1, 5, 5, false, 1).start()).isEqualTo(5);
        assertRefused(() -> new SequenceDefinition("s", 4, 1, 5, 5, false, 1), "start 4 is below");
        assertRefused(() -> new SequenceDefinition("s", 6, 1, 5, 5, false, 1), "start 6 is above");
    }

    @Test
    void has_a_name_of_1_to_64_whole_characters() {
        String emoji = "\uD83D\uDE00";
        for (String name : new String[] {"x", "x".repeat(64), emoji.repeat(64), "\u0001", "a" + emoji + "b"}) {
            assertThat(SequenceDefinition.checkName(name)).isEqualTo(name);
        }
        assertRefused(() -> SequenceDefinition.checkName(emoji.repeat(65)), "has 65 characters");
        assertRefused(() -> SequenceDefinition.checkName("a\u0000"), "the NUL character");
        for (String half : new String[] {"\uD83D", "a\uDE00", emoji + "\uD83D", "\uDE00\uD83D", "\uD83Da"}) {
            assertRefused(() -> SequenceDefinition.checkName(half), "half a character");
        }
    }
}
