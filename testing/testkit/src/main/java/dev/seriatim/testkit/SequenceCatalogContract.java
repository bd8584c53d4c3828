// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

/** The contract of {@link dev.seriatim.store.SequenceCatalog}: reading and changing the catalogue. */
public abstract class SequenceCatalogContract extends StoreContract<OpenStore> {

    @Test
    void lists_nothing_before_the_first_sequence() {
        assertThat(store().list()).isEmpty();
    }

    @Test
    void describes_what_was_created_through_any_handle() {
        SequenceDefinition definition = SequenceDefinition.named("s")
                .startWith(-5L)
                .incrementBy(-3)
                .minValue(-100L)
                .maxValue(50L)
                .cycle(true)
                .cache(7)
                .build();
        storeWith(definition.toBuilder());
        SequenceState state = store().describe("s");
        assertThat(state.definition()).isEqualTo(definition);
        assertThat(state.nextValue()).isEqualTo(-5);
        assertThat(state.usedUp()).isFalse();
        store.reserve("s", 2);
        assertThat(store().describe("s").nextValue()).isEqualTo(-11);
    }

    @Test
    void what_a_change_throws_comes_out_as_it_is_and_nothing_is_changed_or_locked() {
        storeWith("s");
        store.reserve("s", 4);
        List<Throwable> thrown = new ArrayList<>(Errors.all());
        thrown.add(new IllegalStateException("the change's own"));
        thrown.add(new SequenceException.Overloaded("another", "in conflict", null));
        for (Throwable each : thrown) {
            assertThatThrownBy(() -> store.alter("s", definition -> {
                        throw Errors.thrown(each);
                    }))
                    .isSameAs(each);
            assertThat(store.describe("s").definition()).isEqualTo(SequenceDefinition.of("s"));
        }
        store.alter("s", definition -> definition.toBuilder().incrementBy(3).build());
        assertThat(store.reserve("s", 2).block()).isEqualTo(new Block(5, 2, 3));
    }

    @Test
    void lists_by_name() {
        store = store();
        for (String name : new String[] {"b", "c", "a"}) {
            store.create(SequenceDefinition.of(name));
        }
        assertThat(store.list()).extracting(s -> s.definition().name()).containsExactly("a", "b", "c");
    }

    @Test
    void tells_names_apart_character_by_character() {
        String ticket = "\ud83c\udf9f";
        List<String> names = List.of(
                "a",
                "A",
                "a ",
                " a",
                "a\t",
                "\u00e1",
                "a\u0301",
                "\u00c1",
                "ss",
                "\u00df",
                "i",
                "\u0131",
                ticket,
                "\ud83c\udfab",
                ticket.repeat(64),
                ticket.repeat(63) + "\ud83c\udfab",
                "z".repeat(64));
        store = store();
        for (String name : names) {
            store.create(SequenceDefinition.of(name));
        }
        for (int i = 0; i < names.size(); i++) {
            store.raise(names.get(i), 100 * i + 1);
        }
        for (int i = 0; i < names.size(); i++) {
            OpenStore another = i % 2 == 0 ? store : store();
            assertThat(another.reserve(names.get(i), 2).block()).isEqualTo(new Block(100 * i + 1, 2, 1));
            assertThat(another.describe(names.get(i)).nextValue()).isEqualTo(100 * i + 3);
        }
        assertThat(store.list())
                .extracting(state -> state.definition().name())
                .containsExactlyInAnyOrderElementsOf(names);
        store.drop("a");
        assertThatThrownBy(() -> store.describe("a")).isInstanceOf(SequenceException.NotFound.class);
        assertThat(store.list()).hasSize(names.size() - 1);
    }

    @Test
    void refuses_what_is_no_name_in_every_call() {
        storeWith("s");
        for (String bad : List.of(
                "",
                "z".repeat(65),
                "\ud83c\udf9f".repeat(65),
                "a\0b",
                "\0",
                "\ud83c",
                "a\udf9f",
                "\udf9f\ud83c",
                "s\0")) {
            List<ThrowableAssert.ThrowingCallable> calls = List.of(
                    () -> store.create(SequenceDefinition.of(bad)),
                    () -> store.describe(bad),
                    () -> store.reserve(bad, 1),
                    () -> store.alter(bad, definition -> definition),
                    () -> store.raise(bad, 1),
                    () -> store.restart(bad, 1),
                    () -> store.giveBack(bad, new Block(1, 1, 1), 0),
                    () -> store.drop(bad));
            for (ThrowableAssert.ThrowingCallable call : calls) {
                assertThatThrownBy(call)
                        .isInstanceOf(SequenceException.Misconfigured.class)
                        .hasMessageContaining("name")
                        .hasMessageNotContaining("\0");
            }
        }
        assertThat(store.list()).hasSize(1);
    }

    @Test
    void refuses_a_second_sequence_of_the_same_name_and_keeps_the_first() {
        storeWith("s");
        store.reserve("s", 4);
        assertThatThrownBy(() -> store.create(oneToTen("s").build()))
                .isInstanceOf(SequenceException.AlreadyExists.class)
                .hasMessageContaining("'s'");
        assertThat(store.describe("s").nextValue()).isEqualTo(5);
        assertThat(store.describe("s").definition().max()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void names_the_missing_sequence_in_every_call() {
        storeWith("other");
        assertThatThrownBy(() -> store.describe("s"))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContainingAll("'s'", "list shows", "create it first");
        assertThatThrownBy(() -> store.alter("s", d -> d)).isInstanceOf(SequenceException.NotFound.class);
        assertThatThrownBy(() -> store.raise("s", 1)).isInstanceOf(SequenceException.NotFound.class);
        assertThatThrownBy(() -> store.restart("s", 1)).isInstanceOf(SequenceException.NotFound.class);
        assertThatThrownBy(() -> store.drop("s"))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContainingAll("'s'", "list shows")
                .hasMessageNotContaining("create it");
        assertThat(store.list()).hasSize(1);
    }

    @Test
    void refuses_an_alteration_that_leaves_the_counter_outside_and_changes_nothing() {
        storeWith("s");
        store.reserve("s", 50);
        SequenceState before = store.describe("s");
        assertThatThrownBy(
                        () -> store.alter("s", d -> d.toBuilder().maxValue(40L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("51");
        assertThat(store.describe("s")).isEqualTo(before);
    }

    @Test
    void goes_on_behind_the_last_value_when_an_exhausted_sequence_gets_more_room() {
        storeWith(oneToTen("s"));
        store.reserve("s", 10);
        store.alter("s", d -> d.toBuilder().maxValue(12L).build());
        assertThat(store.reserve("s", 5).block()).isEqualTo(new Block(11, 2, 1));
    }

    @Test
    void begins_a_new_epoch_when_the_direction_changes() {
        storeWith("s");
        Reservation before = store.reserve("s", 10);
        store.alter("s", d -> d.toBuilder().incrementBy(-1).build());
        Reservation after = store.reserve("s", 2);
        assertThat(after.block()).isEqualTo(new Block(11, 2, -1));
        assertThat(after.epoch()).isGreaterThan(before.epoch());
    }

    @Test
    void raises_forward_only() {
        storeWith("up");
        store.create(SequenceDefinition.named("down").incrementBy(-1).build());
        store.raise("up", 100);
        store.raise("up", 50);
        store.raise("down", -100);
        store.raise("down", -50);
        assertThat(store.reserve("up", 1).block().first()).isEqualTo(100);
        assertThat(store.reserve("down", 1).block().first()).isEqualTo(-100);
    }

    @Test
    void refuses_to_raise_or_restart_outside_the_bounds() {
        storeWith(oneToTen("s"));
        assertThatThrownBy(() -> store.raise("s", 11)).isInstanceOf(SequenceException.Misconfigured.class);
        assertThatThrownBy(() -> store.restart("s", 0)).isInstanceOf(SequenceException.Misconfigured.class);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void restarts_in_a_new_epoch() {
        storeWith(oneToTen("s"));
        Reservation before = store.reserve("s", 10);
        store.restart("s", 3);
        Reservation after = store.reserve("s", 1);
        assertThat(after.block().first()).isEqualTo(3);
        assertThat(after.epoch()).isGreaterThan(before.epoch());
    }

    @Test
    void gives_a_sequence_that_is_created_again_a_later_epoch() throws InterruptedException {
        storeWith("s");
        long before = store.reserve("s", 1).epoch();
        store.drop("s");
        Thread.sleep(5); // the epoch comes from a clock with millisecond resolution
        store.create(SequenceDefinition.of("s"));
        assertThat(store.reserve("s", 1).epoch()).isGreaterThan(before);
    }

    @Test
    void takes_back_the_end_of_the_block_reserved_last() {
        storeWith("s");
        Reservation reservation = store.reserve("s", 10);
        assertThat(store.giveBack("s", new Block(4, 7, 1), reservation.epoch())).isTrue();
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(4);
    }

    @Test
    void takes_nothing_back_when_somebody_has_reserved_since() {
        storeWith("s");
        Reservation reservation = store.reserve("s", 10);
        store().reserve("s", 1);
        assertThat(store.giveBack("s", new Block(4, 7, 1), reservation.epoch())).isFalse();
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(12);
    }

    @Test
    void takes_nothing_back_across_a_restart() {
        storeWith("s");
        Reservation reservation = store.reserve("s", 10);
        store.restart("s", 11);
        assertThat(store.giveBack("s", new Block(4, 7, 1), reservation.epoch())).isFalse();
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(11);
    }

    @Test
    void takes_back_the_end_of_an_exhausted_sequence() {
        storeWith(oneToTen("s"));
        Reservation reservation = store.reserve("s", 10);
        assertThat(store.giveBack("s", new Block(9, 2, 1), reservation.epoch())).isTrue();
        assertThat(store.reserve("s", 5).block()).isEqualTo(new Block(9, 2, 1));
    }
}
