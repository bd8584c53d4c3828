// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The meaning of a row's numbers at their limits; {@link WindowTest} covers what is in between. */
class RowsTest {

    private static final SequenceTable NEXT = SequenceTable.nextValue("t", "name", "value")
            .with(any -> any.startWith(10L).minValue(10L).maxValue(20L));
    private static final SequenceTable LAST = SequenceTable.lastValue("t", "name", "value")
            .with(any -> any.startWith(10L).minValue(10L).maxValue(20L));

    private static SequenceTable down(SequenceTable table) {
        return table.with(any -> any.startWith(20L).incrementBy(-1));
    }

    private static SequenceState state(SequenceTable table, long counter) {
        return Layout.of(table).state("s", new long[] {counter});
    }

    private static void stands(SequenceTable table, long counter, long nextValue, boolean usedUp) {
        SequenceState state = state(table, counter);
        assertThat(state.nextValue()).isEqualTo(nextValue);
        assertThat(state.usedUp()).isEqualTo(usedUp);
        assertThat(state.epoch()).isZero();
    }

    @Test
    void of_our_own_hold_every_part_of_a_state() {
        Layout own = Layout.of(SequenceTable.own());
        SequenceState state = new SequenceState(new SequenceDefinition("s", 3, -2, -7, 8, true, 5), -7, true, 9);
        assertThat(own.numbers(state)).containsExactly(-7, 3, -2, -7, 8, 1, 5, 1, 9);
        assertThat(own.state("s", own.numbers(state))).isEqualTo(state);
        SequenceState fresh = SequenceState.fresh(SequenceDefinition.of("s"), 4);
        assertThat(own.state("s", own.numbers(fresh))).isEqualTo(fresh);
        assertThat(own.columns())
                .hasSize(9)
                .startsWith("next_value", "start_with")
                .endsWith("used_up", "epoch");
        assertThat(own.holdsDefinition()).isTrue();
        assertThat(own.next(state.definition(), 7)).isEqualTo(7);
        assertThat(own.adopt(state.definition())).isSameAs(state.definition());
        assertThat(own.window(SequenceDefinition.of("s"), 5)).contains(new Window(5, 1, Long.MAX_VALUE - 5));
    }

    @Test
    void of_a_plain_table_hold_the_value_drawn_next_or_last() {
        SequenceDefinition d = state(NEXT, 10).definition();
        SequenceState five = new SequenceState(d, 15, false, 0);
        SequenceState end = new SequenceState(d, 20, true, 0);
        assertThat(Layout.of(NEXT).numbers(five)).containsExactly(15);
        assertThat(Layout.of(NEXT).numbers(end)).containsExactly(21);
        assertThat(Layout.of(LAST).numbers(five)).containsExactly(14);
        assertThat(Layout.of(LAST).numbers(end)).containsExactly(20);
        assertThat(Layout.of(NEXT).next(d, 15)).isEqualTo(15);
        assertThat(Layout.of(LAST).next(d, 15)).isEqualTo(16);
        assertThat(Layout.of(LAST).columns()).containsExactly("value");
        assertThat(Layout.of(LAST).holdsDefinition()).isFalse();
    }

    @Test
    void of_a_plain_table_are_used_up_at_their_end_and_wherever_a_hand_has_put_them_beyond_it() {
        stands(NEXT, 10, 10, false);
        stands(NEXT, 20, 20, false);
        stands(NEXT, 21, 20, true);
        stands(NEXT, 500, 20, true);
        stands(LAST, 9, 10, false);
        stands(LAST, 19, 20, false);
        stands(LAST, 20, 20, true);
        stands(LAST, 500, 20, true);
        stands(down(NEXT), 20, 20, false);
        stands(down(NEXT), 10, 10, false);
        stands(down(NEXT), 9, 10, true);
        stands(down(NEXT), -500, 10, true);
        stands(down(LAST), 21, 20, false);
        stands(down(LAST), 11, 10, false);
        stands(down(LAST), 10, 10, true);
        stands(down(LAST), -500, 10, true);
    }

    @Test
    void of_a_plain_table_keep_the_value_dealt_last_where_steps_do_not_meet_the_bound() {
        stands(NEXT.with(any -> any.incrementBy(3)), 22, 19, true);
        stands(LAST.with(any -> any.incrementBy(3)), 19, 19, true);
        stands(down(NEXT).with(any -> any.incrementBy(-3)), 8, 11, true);
        stands(down(LAST).with(any -> any.incrementBy(-3)), 11, 11, true);
        stands(NEXT, 30, 20, true);
        stands(NEXT.with(any -> any.incrementBy(11)), 21, 10, true);
        stands(down(NEXT).with(any -> any.incrementBy(-11)), 9, 20, true);
    }

    @Test
    void of_a_plain_table_go_up_to_the_ends_of_64_bits() {
        SequenceTable up = LAST.with(any -> any.maxValue(Long.MAX_VALUE));
        stands(up, Long.MAX_VALUE, Long.MAX_VALUE, true);
        stands(up, Long.MAX_VALUE - 1, Long.MAX_VALUE, false);
        SequenceTable down =
                LAST.with(any -> any.startWith(20L).minValue(Long.MIN_VALUE).incrementBy(-1));
        stands(down, Long.MIN_VALUE, Long.MIN_VALUE, true);
        stands(down, Long.MIN_VALUE + 1, Long.MIN_VALUE, false);
    }

    @Test
    void of_a_plain_table_that_stand_before_their_beginning_are_refused() {
        assertThatThrownBy(() -> state(NEXT, 9))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("counter 9 is outside 10 … 20");
        assertThatThrownBy(() -> state(LAST, 8)).isInstanceOf(Misconfigured.class);
        assertThatThrownBy(() -> state(down(NEXT), 21)).isInstanceOf(Misconfigured.class);
        assertThatThrownBy(() -> state(down(LAST), 22)).isInstanceOf(Misconfigured.class);
    }

    @Test
    void of_a_plain_table_have_the_window_of_the_counter_that_is_stored() {
        SequenceDefinition d = state(NEXT, 10).definition();
        assertThat(Layout.of(NEXT).window(d, 3)).contains(new Window(3, 10, 17));
        assertThat(Layout.of(LAST).window(d, 3)).contains(new Window(3, 9, 16));
        SequenceDefinition reversed = state(down(NEXT), 10).definition();
        assertThat(Layout.of(down(NEXT)).window(reversed, 3)).contains(new Window(-3, 13, 20));
        assertThat(Layout.of(down(LAST)).window(reversed, 3)).contains(new Window(-3, 14, 21));
        assertThat(Layout.of(NEXT).window(d, 10)).contains(new Window(10, 10, 10));
        assertThat(Layout.of(NEXT).window(d, 11)).isEmpty();
    }

    @Test
    void a_window_one_step_behind_stays_inside_64_bits() {
        assertThat(new Window(1, Long.MIN_VALUE, 5).oneStepBehind(2)).contains(new Window(1, Long.MIN_VALUE, 3));
        assertThat(new Window(1, Long.MIN_VALUE + 1, 5).oneStepBehind(2)).contains(new Window(1, Long.MIN_VALUE, 3));
        assertThat(new Window(1, Long.MIN_VALUE + 2, 5).oneStepBehind(2)).contains(new Window(1, Long.MIN_VALUE, 3));
        assertThat(new Window(1, Long.MIN_VALUE + 3, 5).oneStepBehind(2))
                .contains(new Window(1, Long.MIN_VALUE + 1, 3));
        assertThat(new Window(1, Long.MIN_VALUE, Long.MIN_VALUE + 1).oneStepBehind(2))
                .isEmpty();
        assertThat(new Window(-1, 5, Long.MAX_VALUE).oneStepBehind(-2)).contains(new Window(-1, 7, Long.MAX_VALUE));
        assertThat(new Window(-1, 5, Long.MAX_VALUE - 1).oneStepBehind(-2)).contains(new Window(-1, 7, Long.MAX_VALUE));
        assertThat(new Window(-1, 5, Long.MAX_VALUE - 3).oneStepBehind(-2))
                .contains(new Window(-1, 7, Long.MAX_VALUE - 1));
        assertThat(new Window(-1, Long.MAX_VALUE - 1, Long.MAX_VALUE).oneStepBehind(-2))
                .isEmpty();
    }

    private static void adopts(UnaryOperator<SequenceDefinition.Builder> wanted) {
        SequenceTable table = NEXT.with(any -> any.incrementBy(2).cache(7));
        SequenceDefinition held = state(table, 10).definition();
        assertThat(Layout.of(table)
                        .adopt(wanted.apply(SequenceDefinition.named("s")).build()))
                .isEqualTo(held);
    }

    private static void refuses(UnaryOperator<SequenceDefinition.Builder> wanted) {
        SequenceTable table = NEXT.with(any -> any.incrementBy(2).cache(7));
        assertThatThrownBy(() -> Layout.of(table)
                        .adopt(wanted.apply(SequenceDefinition.named("s")).build()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("'s'", "table t", "10 … 20 by 2 in blocks of 7");
    }

    @Test
    void of_a_plain_table_take_a_definition_that_says_what_the_table_says_or_nothing() {
        adopts(s -> s);
        adopts(s -> s.incrementBy(2));
        adopts(s -> s.minValue(10L).startWith(10L).maxValue(20L));
        adopts(s -> s.cache(7));
        refuses(s -> s.incrementBy(3));
        refuses(s -> s.minValue(11L));
        refuses(s -> s.maxValue(21L));
        refuses(s -> s.cache(8));
        refuses(s -> s.cycle(true));
        refuses(s -> s.incrementBy(-1));
    }

    @Test
    void of_a_plain_table_begin_where_they_are_told_to() {
        SequenceDefinition wanted = SequenceDefinition.named("s").startWith(15L).build();
        assertThat(Layout.of(NEXT).adopt(wanted).start()).isEqualTo(15);
        assertThat(Layout.of(NEXT).adopt(wanted).max()).isEqualTo(20);
    }

    @Test
    void of_a_plain_table_cannot_be_redefined_and_say_where_that_is_done() {
        Layout plain = Layout.of(NEXT);
        SequenceState state = state(NEXT, 15);
        assertThat(plain.redefined(state, state.definition(), "table t")).isEqualTo(state);
        SequenceDefinition changed =
                state.definition().toBuilder().maxValue(30L).build();
        assertThatThrownBy(() -> plain.redefined(state, changed, "table t"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("its row in table t holds only the counter", "where the store is opened");
        assertThat(Layout.of(SequenceTable.own())
                        .redefined(state, changed, "table t")
                        .definition())
                .isEqualTo(changed);
    }
}
