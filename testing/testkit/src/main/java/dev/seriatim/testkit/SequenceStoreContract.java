// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link SequenceStore}: reservations in transactions of the store's own. */
public abstract class SequenceStoreContract extends StoreContract<OpenStore> {

    @Test
    void deals_from_the_start_without_gaps_or_repeats() {
        storeWith(SequenceDefinition.named("s").startWith(7L));
        assertThat(store.reserve("s", 1).block()).isEqualTo(new Block(7, 1, 1));
        assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(8, 3, 1));
        assertThat(store.reserve("s", 1).block()).isEqualTo(new Block(11, 1, 1));
    }

    @Test
    void steps_by_the_increment_up_and_down() {
        storeWith(SequenceDefinition.named("up").incrementBy(5));
        store.create(SequenceDefinition.named("down").incrementBy(-2).build());
        assertThat(store.reserve("up", 3).block().values()).containsExactly(1L, 6L, 11L);
        assertThat(store.reserve("up", 1).block().first()).isEqualTo(16);
        assertThat(store.reserve("down", 3).block().values()).containsExactly(-1L, -3L, -5L);
        assertThat(store.reserve("down", 1).block().first()).isEqualTo(-7);
    }

    @Test
    void deals_a_block_of_the_sequences_own_size_when_asked_for_its_cache() {
        storeWith(SequenceDefinition.named("s").cache(25));
        assertThat(store.reserve("s", SequenceStore.CACHE).block()).isEqualTo(new Block(1, 25, 1));
        assertThat(store.reserve("s", SequenceStore.CACHE).block()).isEqualTo(new Block(26, 25, 1));
    }

    @Test
    void tells_the_definition_with_every_block() {
        SequenceDefinition definition = SequenceDefinition.named("s")
                .startWith(5L)
                .incrementBy(2)
                .minValue(3L)
                .maxValue(99L)
                .cycle(true)
                .cache(4)
                .build();
        storeWith(definition.toBuilder());
        assertThat(store.reserve("s", 1).definition()).isEqualTo(definition);
        assertThat(store.reserve("s", 1).definition()).isEqualTo(definition);
    }

    @Test
    void sees_a_change_made_through_another_handle_with_the_next_block() {
        storeWith("s");
        store.reserve("s", 2);
        store().alter("s", d -> d.toBuilder().incrementBy(10).cache(3).build());
        Reservation after = store.reserve("s", SequenceStore.CACHE);
        assertThat(after.block()).isEqualTo(new Block(3, 3, 10));
        assertThat(after.definition().cache()).isEqualTo(3);
    }

    @Test
    void shares_the_counter_between_handles() {
        OpenStore one = storeWith("s");
        OpenStore other = store();
        assertThat(one.reserve("s", 2).block().first()).isEqualTo(1);
        assertThat(other.reserve("s", 2).block().first()).isEqualTo(3);
        assertThat(one.reserve("s", 2).block().first()).isEqualTo(5);
    }

    @Test
    void keeps_sequences_apart_whatever_their_names() {
        List<String> names = List.of("a", "A", "ä", "a'b\"c;--", " ", "数列", "%", "x".repeat(64));
        store = store();
        names.forEach(name -> store.create(SequenceDefinition.of(name)));
        for (String name : names) {
            assertThat(store.reserve(name, 5).block().first()).as(name).isEqualTo(1);
        }
        for (String name : names) {
            assertThat(store.reserve(name, 1).block().first()).as(name).isEqualTo(6);
        }
    }

    @Test
    void shortens_the_last_block_and_then_is_exhausted_with_the_counter_unchanged() {
        storeWith(oneToTen("s"));
        assertThat(store.reserve("s", 8).block().count()).isEqualTo(8);
        assertThat(store.reserve("s", 8).block()).isEqualTo(new Block(9, 2, 1));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> store.reserve("s", 1))
                    .isInstanceOf(SequenceException.Exhausted.class)
                    .hasMessageContaining("'s'")
                    .hasMessageContaining("10");
        }
        assertThat(store.describe("s").usedUp()).isTrue();
    }

    @Test
    void takes_exactly_what_is_left() {
        storeWith(oneToTen("s"));
        assertThat(store.reserve("s", 10).block()).isEqualTo(new Block(1, 10, 1));
        assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void stops_at_the_last_whole_step_inside_the_bounds() {
        storeWith(SequenceDefinition.named("s").incrementBy(4).minValue(0L).maxValue(10L));
        assertThat(store.reserve("s", 100).block()).isEqualTo(new Block(0, 3, 4));
        assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void reaches_both_ends_of_64_bits_without_overflow() {
        storeWith(SequenceDefinition.named("up").startWith(Long.MAX_VALUE - 2));
        store.create(SequenceDefinition.named("down")
                .incrementBy(-1)
                .startWith(Long.MIN_VALUE + 2)
                .build());
        assertThat(store.reserve("up", Long.MAX_VALUE).block().values())
                .containsExactly(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1, Long.MAX_VALUE);
        assertThat(store.reserve("down", Long.MAX_VALUE).block().values())
                .containsExactly(Long.MIN_VALUE + 2, Long.MIN_VALUE + 1, Long.MIN_VALUE);
        assertThatThrownBy(() -> store.reserve("up", 1)).isInstanceOf(SequenceException.Exhausted.class);
        assertThatThrownBy(() -> store.reserve("down", 1)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void takes_steps_as_large_as_64_bits_allow() {
        storeWith(SequenceDefinition.named("s")
                .incrementBy(Long.MAX_VALUE)
                .minValue(Long.MIN_VALUE)
                .startWith(Long.MIN_VALUE));
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(Long.MIN_VALUE);
        assertThat(store.reserve("s", 5).block().values()).containsExactly(-1L, Long.MAX_VALUE - 1);
        assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void starts_over_in_a_new_epoch_when_it_cycles_never_inside_a_block() {
        storeWith(SequenceDefinition.named("s")
                .startWith(5L)
                .minValue(3L)
                .maxValue(7L)
                .cycle(true));
        Reservation first = store.reserve("s", 9);
        Reservation second = store.reserve("s", 2);
        Reservation third = store.reserve("s", 9);
        assertThat(first.block()).isEqualTo(new Block(5, 3, 1));
        assertThat(second.block()).isEqualTo(new Block(3, 2, 1));
        assertThat(third.block()).isEqualTo(new Block(5, 3, 1));
        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(third.epoch()).isEqualTo(second.epoch());
    }

    @Test
    void names_the_sequence_that_is_not_there() {
        store = store();
        assertThatThrownBy(() -> store.reserve("missing", 1))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContaining("'missing'");
        store.create(SequenceDefinition.of("somebody"));
        assertThatThrownBy(() -> store.reserve("missing", 1)).isInstanceOf(SequenceException.NotFound.class);
        store.reserve("somebody", 1);
        store.drop("somebody");
        assertThatThrownBy(() -> store.reserve("somebody", 1)).isInstanceOf(SequenceException.NotFound.class);
    }

    @Test
    void refuses_a_negative_count_and_changes_nothing() {
        storeWith("s");
        assertThatThrownBy(() -> store.reserve("s", -1)).isInstanceOf(SequenceException.Misconfigured.class);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
    }

    @Test
    void deals_every_value_once_to_threads_on_several_handles() {
        OpenStore creator = storeWith("s");
        List<OpenStore> handles = List.of(creator, store(), store());
        History history = new Crowd(6, 20)
                .draw((thread, turn) -> handles.get(thread % handles.size())
                        .reserve("s", 1 + turn % 3)
                        .block());
        assertUniqueAndOrdered(history);
        assertThat(history.largest()).isEqualTo(history.size());
    }
}
