// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.Turn;
import dev.seriatim.memory.LedgerStore;
import dev.seriatim.striped.Striping;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Listeners that use the sequence they are called for. With a patience of an hour, a draw that waits for itself ends no test. */
@Timeout(60)
class DrawingListenerTest {

    private final HookedStore store = new HookedStore().with("s").with("other");
    private final AtomicReference<Consumer<String>> reaction = new AtomicReference<>(sequence -> {});

    /** What the listener does once, in its first callback. */
    private final class Reacting implements SequenceListener {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            reaction.getAndSet(ignored -> {}).accept(sequence);
        }

        @Override
        public void failed(String sequence, SequenceException failure) {
            reaction.getAndSet(ignored -> {}).accept(sequence);
        }
    }

    private StoreSequences sequences() {
        return StoreSequences.builder(store)
                .listener(new Reacting())
                .patience(Duration.ofHours(1))
                .build();
    }

    static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.confirmed(),
                Allocation.batch(10),
                Allocation.asyncBatch(10, 5),
                Allocation.adaptive());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void a_listener_that_draws_from_its_own_sequence_is_refused_and_named(Allocation mode) {
        try (StoreSequences sequences = sequences()) {
            Sequence sequence = sequences.open("s", mode);
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            reaction.set(name -> refusal.set(catchThrowable(sequence::next)));
            assertThat(sequence.next()).isEqualTo(1);
            assertThat(refusal.get())
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessage("sequence 's': its listener " + Reacting.class.getName()
                            + " draws from it inside a callback, which would wait for itself; draw with nextAsync, or from"
                            + " another sequence");

            store.hook = (name, count) -> {
                throw new SequenceException.Unavailable(name, "connection refused", null);
            };
            reaction.set(name -> refusal.set(catchThrowable(() -> sequence.next(100))));
            assertThatThrownBy(() -> sequence.next(100)).isInstanceOf(SequenceException.Unavailable.class);
            assertThat(refusal.get()).hasMessageContaining(Reacting.class.getName());
            store.hook = (name, count) -> {};
            assertThat(sequence.next()).isPositive();
        }
    }

    @Test
    void a_listener_that_commits_a_unit_of_its_own_sequence_is_refused() {
        LedgerStore ledger = new LedgerStore();
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        try (StoreSequences sequences = StoreSequences.builder(ledger.memory)
                .listener(new Reacting())
                .patience(Duration.ofHours(1))
                .build()) {
            GroupedSequence<LedgerStore.Pages> grouped = sequences.grouped("s", ledger);
            reaction.set(name -> refusal.set(catchThrowable(() -> grouped.commit(Turn::next))));
            ledger.beforeCommit = commit -> {
                throw new SequenceException.CommitOutcomeUnknown("s", "the link broke", null);
            };
            assertThatThrownBy(() -> grouped.commit(Turn::next))
                    .isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
            assertThat(refusal.get()).hasMessageContaining(Reacting.class.getName());
        }
    }

    @Test
    void a_listener_may_draw_from_another_sequence_or_without_waiting() throws Exception {
        try (StoreSequences sequences = sequences()) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            Sequence other = sequences.open("other", Allocation.combined());
            BlockingQueue<Long> drawn = new LinkedBlockingQueue<>();
            reaction.set(name -> {
                drawn.add(other.next());
                sequence.nextAsync().thenAccept(drawn::add);
            });
            assertThat(sequence.next()).isEqualTo(1);
            assertThat(drawn.take()).isEqualTo(1);
            assertThat(drawn.take()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void a_listener_may_close_its_own_sequence(Allocation mode) {
        try (StoreSequences sequences = sequences()) {
            Sequence sequence = sequences.open("s", mode);
            reaction.set(name -> sequence.close());
            assertThat(sequence.next()).isEqualTo(1);
            assertThatThrownBy(() -> sequence.next(100))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            assertThat(sequences.opened()).isEmpty();
        }
    }

    /** Another thread may close the one whose listener it is. */
    @Test
    void a_listener_may_close_all_sequences_and_all_counters_of_one() {
        Striping striping = new Striping("striped", 4);
        striping.create(store, SequenceDefinition.of("striped"));
        for (int round = 0; round < 20; round++) {
            StoreSequences sequences = sequences();
            Sequence striped = sequences.striped(striping, Allocation.batch(10));
            reaction.set(name -> striped.close());
            assertThat(striped.next()).isPositive();
            assertThat(sequences.opened()).isEmpty();
            sequences.open("other", Allocation.batch(10)).next();
            Sequence sequence = sequences.open("s", Allocation.batch(10));
            reaction.set(name -> sequences.close());
            assertThat(sequence.next()).isPositive();
            assertThat(sequences.opened()).isEmpty();
        }
    }
}
