// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.OpenStore;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Sequences;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What every mode promises over the store under test. */
public abstract class AllocationContract extends StoreContract<OpenStore> {

    private static final List<Allocation> ORDERED = List.of(Allocation.async(), Allocation.combined());
    private static final List<Allocation> IN_BLOCKS = List.of(
            Allocation.batch(),
            Allocation.batch(7),
            Allocation.asyncBatch(20, 5),
            Allocation.asyncBatch(5, 5),
            Allocation.adaptive(),
            Allocation.adaptive(1, 8));

    /** For subclasses. */
    protected AllocationContract() {}

    private Stream<DynamicTest> inEveryMode(ModeTest test) {
        return DynamicTest.stream(
                Stream.concat(ORDERED.stream(), IN_BLOCKS.stream()),
                Allocation::toString,
                mode -> test.run(mode, name(mode)));
    }

    /** One test, one place: so each mode has a sequence of its own. */
    private static String name(Allocation mode) {
        return mode.toString();
    }

    private interface ModeTest {
        void run(Allocation mode, String name) throws Exception;
    }

    @TestFactory
    Stream<DynamicTest> deals_every_value_once_to_instances_that_draw_at_once() {
        return inEveryMode((mode, name) -> {
            List<OpenStore> stores =
                    List.of(storeWith(SequenceDefinition.named(name).cache(10).build()), store());
            List<Sequences> instances = new ArrayList<>();
            stores.forEach(store -> instances.add(Sequences.of(store)));
            History history = new Crowd(6, 25).draw((thread, turn) -> {
                Sequence sequence = instances.get(thread % 2).open(name, mode);
                return turn % 5 == 4 ? sequence.next(3) : one(sequence.next());
            });
            instances.forEach(Sequences::close);
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(6 * (20 + 5 * 3));
            if (ORDERED.contains(mode)) {
                assertThat(history.orderViolations(true)).isZero();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> deals_down_to_the_last_value_and_then_is_exhausted() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name)
                    .incrementBy(-3)
                    .minValue(-40L)
                    .maxValue(20L)
                    .cache(4)
                    .build());
            TreeSet<Long> drawn = new TreeSet<>();
            try (Sequences sequences = Sequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                for (int i = 0; i < 21; i++) {
                    drawn.add(sequence.next());
                }
                assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Exhausted.class);
                assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Exhausted.class);
                assertThat(drawn).hasSize(21).contains(20L, -40L);
                store.alter(name, d -> d.toBuilder().minValue(-43L).build());
                assertThat(sequence.next()).isEqualTo(-43);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> starts_over_when_the_sequence_cycles() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name)
                    .maxValue(5L)
                    .cycle(true)
                    .cache(2)
                    .build());
            try (Sequences sequences = Sequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                List<Long> drawn = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    drawn.add(sequence.next());
                }
                List<Long> rounds = List.of(1L, 2L, 3L, 4L, 5L, 1L, 2L, 3L, 4L, 5L);
                if (ORDERED.contains(mode)) {
                    assertThat(drawn).startsWith(rounds.toArray(Long[]::new)).endsWith(1L, 2L);
                } else { // blocks fetched side by side may arrive in either order, but each round is dealt whole
                    assertThat(drawn).containsAll(rounds);
                    assertThat(drawn.stream().filter(value -> value == 1)).hasSizeBetween(2, 3);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> takes_up_a_changed_step_and_a_restart_with_its_next_block() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name).cache(3).build());
            try (Sequences sequences = Sequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                sequence.next();
                store().alter(name, d -> d.toBuilder().incrementBy(1000).build());
                long value = sequence.next();
                long step = 1;
                for (int i = 0; i < 2000 && step != 1000; i++) {
                    long next = sequence.next();
                    step = next - value;
                    value = next;
                }
                assertThat(step).isEqualTo(1000);
                store().restart(name, 1);
                boolean restarted = false;
                for (int i = 0; i < 100_000 && !restarted; i++) {
                    restarted = sequence.next() == 1;
                }
                assertThat(restarted).isTrue();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> gives_the_unused_end_back_where_that_was_asked_for() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.of(name));
            for (long expected = 1; expected <= 9; expected += 3) {
                try (Sequences sequences =
                        Sequences.over(store).giveBackOnClose(true).build()) {
                    Sequence sequence = sequences.open(name, mode);
                    assertThat(sequence.next()).isEqualTo(expected);
                    assertThat(sequence.next()).isEqualTo(expected + 1);
                    assertThat(sequence.next()).isEqualTo(expected + 2);
                }
                assertThat(store.describe(name).nextValue()).isEqualTo(expected + 3);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> draws_on_another_thread_when_asked_to() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.of(name));
            try (Sequences sequences = Sequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                TreeSet<Long> drawn = new TreeSet<>();
                for (int i = 0; i < 30; i++) {
                    drawn.add(sequence.nextAsync().toCompletableFuture().join());
                }
                assertThat(drawn).hasSize(30);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> names_a_missing_sequence_and_finds_it_once_it_is_there() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.of("another for " + name));
            try (Sequences sequences = Sequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                assertThatThrownBy(sequence::next)
                        .isInstanceOf(SequenceException.NotFound.class)
                        .hasMessageContaining(name);
                store.create(SequenceDefinition.of(name));
                assertThat(sequence.next()).isEqualTo(1);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> deals_through_cursors_of_single_callers_in_the_modes_without_order() {
        return DynamicTest.stream(IN_BLOCKS.stream(), Allocation::toString, mode -> {
            String name = name(mode);
            OpenStore store = storeWith(SequenceDefinition.of(name));
            try (Sequences sequences = Sequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                List<Sequence> cursors =
                        Stream.generate(sequence::local).limit(4).toList();
                History history = new Crowd(4, 200)
                        .draw((thread, turn) -> one(cursors.get(thread).next()));
                assertThat(history.duplicates()).isZero();
                assertThat(history.size()).isEqualTo(800);
            }
        });
    }

    private static Block one(long value) {
        return new Block(value, 1, 1);
    }
}
