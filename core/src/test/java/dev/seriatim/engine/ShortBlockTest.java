// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A store in which others can draw during a reservation, and which keeps the longest contiguous part. */
class ShortBlockTest {

    private static final SequenceDefinition ONE_TO_TWENTY =
            SequenceDefinition.named("s").maxValue(20L).cache(4).build();

    /**
     * Shortens the first reservations to two values, and draws the values that would have followed, as another session
     * would.
     */
    private static SequenceStore interrupted(InMemoryStore memory, int times) {
        AtomicInteger left = new AtomicInteger(times);
        return (name, count) -> {
            if (left.getAndDecrement() <= 0) {
                return memory.reserve(name, count);
            }
            Reservation shorter = memory.reserve(name, 2);
            memory.reserve(name, 1);
            return shorter;
        };
    }

    @TestFactory
    Stream<DynamicTest> deals_a_piece_whole_all_the_same() {
        return DynamicTest.stream(
                Stream.of(
                        Allocation.async(),
                        Allocation.combined(),
                        Allocation.batch(),
                        Allocation.asyncBatch(4, 2),
                        Allocation.adaptive()),
                Allocation::toString,
                mode -> {
                    InMemoryStore memory = new InMemoryStore();
                    memory.create(ONE_TO_TWENTY);
                    try (StoreSequences sequences = StoreSequences.of(interrupted(memory, 3))) {
                        Block piece = sequences.open("s", mode).next(5);
                        assertThat(piece.count()).isEqualTo(5);
                        assertThat(piece.first()).isGreaterThan(6);
                    }
                });
    }

    @Test
    void deals_a_shorter_piece_at_the_end_alone() {
        InMemoryStore memory = new InMemoryStore();
        memory.create(ONE_TO_TWENTY);
        memory.reserve("s", 12);
        try (StoreSequences sequences = StoreSequences.of(interrupted(memory, 1))) {
            Sequence sequence = sequences.open("s", Allocation.async());
            assertThat(sequence.next(7)).isEqualTo(new Block(16, 5, 1));
        }
    }

    @Test
    void knows_the_value_that_nothing_follows() {
        SequenceDefinition byFour =
                SequenceDefinition.named("s").incrementBy(4).maxValue(10L).build();
        assertThat(byFour.endsAt(5)).isFalse();
        assertThat(byFour.endsAt(9)).isTrue();
        assertThat(byFour.endsAt(11)).isTrue();
        SequenceDefinition down = SequenceDefinition.named("s")
                .incrementBy(Long.MIN_VALUE)
                .minValue(Long.MIN_VALUE)
                .maxValue(Long.MAX_VALUE)
                .build();
        assertThat(down.endsAt(Long.MAX_VALUE)).isFalse();
        assertThat(down.endsAt(-1)).isTrue();
        assertThat(down.endsAt(0)).isFalse();
    }
}
