// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.number.FormattedSequence;
import dev.seriatim.number.Transform;
import dev.seriatim.number.TransformedSequence;
import dev.seriatim.striped.Striping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Draws whose callers do not wait for the end: the value is reported lost, or goes to another caller. */
@Timeout(60)
class CancelledDrawTest {

    private final HookedStore store = new HookedStore().with("s");
    private final List<Block> lost = new CopyOnWriteArrayList<>();
    private final Gate gate = new Gate();

    private StoreSequences sequences() {
        return StoreSequences.builder(store)
                .listener(new SequenceListener() {
                    @Override
                    public void lost(String sequence, Block values) {
                        lost.add(values);
                    }
                })
                .build();
    }

    /** Returns the lost values, which may be reported shortly after closing. */
    private List<Block> lost() throws InterruptedException {
        for (int i = 0; i < 500 && lost.isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return lost;
    }

    /** Completes the future of a draw without its value while the store is being called; then closes. */
    private void end(Allocation mode, Function<Sequence, CompletionStage<?>> draw, Consumer<CompletableFuture<?>> how)
            throws Exception {
        store.hook = gate;
        try (StoreSequences sequences = sequences()) {
            CompletableFuture<?> drawn = draw.apply(sequences.open("s", mode)).toCompletableFuture();
            gate.awaitFirst();
            how.accept(drawn);
            assertThat(drawn).isDone();
            gate.open();
        }
    }

    private static void timeOut(CompletableFuture<?> drawn) {
        assertThatThrownBy(() -> drawn.orTimeout(1, TimeUnit.MILLISECONDS).join())
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void the_value_of_a_cancelled_draw_is_lost_and_told() throws Exception {
        end(Allocation.combined(), Sequence::nextAsync, drawn -> drawn.cancel(true));
        assertThat(lost()).containsExactly(new Block(1, 1, 1));
    }

    @Test
    void the_value_of_a_draw_that_its_caller_let_time_out_is_lost_and_told() throws Exception {
        end(Allocation.async(), Sequence::nextAsync, CancelledDrawTest::timeOut);
        assertThat(lost()).containsExactly(new Block(1, 1, 1));
    }

    @Test
    void the_value_of_a_draw_that_its_caller_completed_is_lost_and_told() throws Exception {
        end(Allocation.combined(), Sequence::nextAsync, drawn -> drawn.complete(null));
        assertThat(lost()).containsExactly(new Block(1, 1, 1));
    }

    @Test
    void a_cancelled_draw_through_views_is_withdrawn_too() throws Exception {
        end(
                Allocation.combined(),
                sequence -> TransformedSequence.over(sequence, Transform.bitReversed())
                        .formatted("A-{seq}")
                        .nextAsync(),
                drawn -> drawn.cancel(true));
        assertThat(lost()).containsExactly(new Block(1, 1, 1));
    }

    @Test
    void the_value_of_a_cancelled_draw_stays_in_hand_where_values_are_kept() throws Exception {
        end(Allocation.batch(10), Sequence::nextAsync, drawn -> drawn.cancel(true));
        assertThat(lost()).containsExactly(new Block(1, 10, 1));
    }

    @Test
    void the_value_of_a_cancelled_draw_from_a_stripe_is_lost_and_told_of_its_counter() throws Exception {
        Striping striping = new Striping("striped", 2);
        striping.create(store, SequenceDefinition.of("striped"));
        store.hook = gate;
        try (StoreSequences sequences = sequences()) {
            Sequence striped = sequences.striped(striping, Allocation.async());
            CompletableFuture<Long> drawn = striped.nextAsync().toCompletableFuture();
            gate.awaitFirst();
            assertThat(drawn.cancel(false)).isTrue();
            gate.open();
        }
        assertThat(lost()).hasSize(1);
    }

    @Test
    void a_cancelled_draw_leaves_the_line_and_costs_no_value() throws Exception {
        store.hook = gate;
        try (StoreSequences sequences = sequences()) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            CompletableFuture<Long> first = sequence.nextAsync().toCompletableFuture();
            gate.awaitFirst();
            List<CompletableFuture<Long>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(sequence.nextAsync().toCompletableFuture());
            }
            waiting.subList(0, 4)
                    .forEach(drawn -> assertThat(drawn.cancel(true)).isTrue());
            gate.open();
            assertThat(first.get(5, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(waiting.get(4).get(5, TimeUnit.SECONDS)).isEqualTo(2);
        }
        assertThat(lost).isEmpty();
        assertThat(store.asked).containsExactly(1L, 1L);
    }

    @Test
    void a_value_that_a_view_has_no_place_for_is_lost_and_told() throws Exception {
        store.create(SequenceDefinition.named("t").startWith(1000L).build());
        try (StoreSequences sequences = sequences()) {
            FormattedSequence short3 = FormattedSequence.over(sequences.open("t", Allocation.async()), "{seq:3}");
            assertThatThrownBy(() -> short3.nextAsync().toCompletableFuture().get(5, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SequenceException.OutOfRange.class);
        }
        assertThat(lost()).containsExactly(new Block(1000, 1, 1));
    }

    @Test
    void a_draw_from_a_closed_sequence_fails_in_its_stage() {
        for (Allocation mode : List.of(Allocation.async(), Allocation.batch(10))) {
            StoreSequences sequences = sequences();
            Sequence sequence = sequences.open("s", mode);
            sequences.close();
            CompletableFuture<Long> drawn = sequence.nextAsync().toCompletableFuture();
            assertThatThrownBy(drawn::join).hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void an_interrupted_caller_leaves_a_value_that_is_told_lost() throws Exception {
        store.hook = gate;
        try (StoreSequences sequences = sequences()) {
            Sequence sequence = sequences.open("s", Allocation.async());
            Thread caller = new Thread(
                    () -> assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Unavailable.class));
            caller.start();
            gate.awaitFirst();
            caller.interrupt();
            caller.join(Duration.ofSeconds(5).toMillis());
            gate.open();
        }
        assertThat(lost()).containsExactly(new Block(1, 1, 1));
    }

    /** Between two stripes there is no draw that could be withdrawn. */
    @Test
    void a_view_that_is_cancelled_between_an_exhausted_stripe_and_the_next_leaves_no_value_behind() throws Exception {
        Striping striping = new Striping("t", 2);
        striping.create(store, SequenceDefinition.named("t").maxValue(9L).build());
        Ledger ledger = new Ledger();
        store.answered = ledger::reserved;
        AtomicBoolean closed = new AtomicBoolean(true);
        store.hook = (name, count) -> {
            if (closed.getAndSet(false)) {
                gate.before(name, count);
                store.memory.reserve(name, 100); // others draw first
            }
        };
        CompletableFuture<CompletableFuture<Long>> drawn = new CompletableFuture<>();
        AtomicInteger reservations = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor executor = work -> {
            if (reservations.incrementAndGet() == 2) {
                drawn.join().cancel(false);
            }
            threads.execute(work);
        };
        try (StoreSequences sequences = StoreSequences.builder(store)
                .listener(ledger)
                .executor(executor)
                .build()) {
            drawn.complete(
                    TransformedSequence.over(sequences.striped(striping, Allocation.batch(1)), Transform.bitReversed())
                            .nextAsync()
                            .toCompletableFuture());
            gate.open();
            assertThatThrownBy(() -> drawn.join().get(5, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
            threads.shutdown();
            assertThat(threads.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(reservations).hasValueGreaterThan(1);
        assertThat(ledger.fault()).isEmpty();
    }
}
