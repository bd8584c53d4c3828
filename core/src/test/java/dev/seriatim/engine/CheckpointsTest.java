// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.striped.Striping;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.crac.Core;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process that is saved and restored twice. Both copies go on with what was in memory when it was saved, so whatever they deal must
 * come from reservations after that: it lies beyond the counter.
 */
@Timeout(60)
class CheckpointsTest {

    private final HookedStore store = new HookedStore().with("s");
    private final StoreSequences sequences = StoreSequences.builder(store)
            .createMissing(true)
            .patience(Duration.ofMinutes(5))
            .build();
    private final Checkpoints checkpoints = new Checkpoints(sequences);
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        sequences.close();
        other.shutdownNow();
    }

    static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.confirmed(),
                Allocation.batch(1000),
                Allocation.asyncBatch(1000, 900),
                Allocation.adaptive());
    }

    private void save() {
        checkpoints.beforeCheckpoint(Core.getGlobalContext());
        assertThat(sequences.opened())
                .allSatisfy(open -> assertThat(open.inHand()).isZero());
    }

    private long counter(String name) {
        return store.describe(name).nextValue();
    }

    private void restore() {
        checkpoints.afterRestore(Core.getGlobalContext());
    }

    private long elsewhere(Callable<Long> work) throws Exception {
        return other.submit(work).get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void nothing_that_was_in_memory_is_dealt_after_a_restore(Allocation mode) {
        Sequence sequence = sequences.open("s", mode);
        for (int i = 0; i < 100; i++) {
            sequence.next();
        }
        save();
        long counter = counter("s");
        restore();
        for (int i = 0; i < 100; i++) {
            assertThat(sequence.next()).isGreaterThanOrEqualTo(counter);
        }
        assertThat(sequence.next(5).first()).isGreaterThanOrEqualTo(counter);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void nor_by_another_thread_that_has_drawn_before(Allocation mode) throws Exception {
        Sequence sequence = sequences.open("s", mode);
        elsewhere(sequence::next); // the only thread, which deals without an atomic step
        elsewhere(sequence::next);
        save();
        long counter = counter("s");
        restore();
        for (int i = 0; i < 100; i++) {
            assertThat(elsewhere(sequence::next)).isGreaterThanOrEqualTo(counter);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void a_caller_waits_while_the_process_is_saved(Allocation mode) throws Exception {
        Sequence sequence = sequences.open("s", mode);
        sequence.next();
        save();
        long counter = counter("s");
        CompletableFuture<Long> later = sequence.nextAsync().toCompletableFuture();
        CountDownLatch began = new CountDownLatch(1);
        CompletableFuture<Long> waiting = CompletableFuture.supplyAsync(
                () -> {
                    began.countDown();
                    return sequence.next();
                },
                other);
        began.await();
        assertThat(later).isNotDone();
        assertThat(waiting).isNotDone();
        assertThat(counter("s")).as("nothing is reserved").isEqualTo(counter);
        restore();
        assertThat(later.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(counter);
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(counter);
    }

    @Test
    void local_cursors_drop_their_runs() throws Exception {
        Sequence sequence = sequences.open("s", Allocation.batch(1000));
        List<Sequence> cursors = List.of(sequence.local(), sequence.local(), sequence.local());
        sequence.next(); // which fetches the block that their runs come from
        for (Sequence cursor : cursors) {
            cursor.next();
        }
        save();
        long counter = counter("s");
        restore();
        assertThat(cursors.get(0).next()).isGreaterThanOrEqualTo(counter);
        assertThat(cursors.get(1).next(3).first()).isGreaterThanOrEqualTo(counter);
        assertThat(cursors.get(2).nextAsync().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isGreaterThanOrEqualTo(counter);
    }

    @Test
    void the_counters_of_a_striped_sequence_drop_theirs_and_so_do_sequences_opened_meanwhile() {
        Striping striping = new Striping("hot", 2);
        Sequence striped = sequences.striped(striping, Allocation.batch(100));
        Sequence cursor = striped.local();
        for (int i = 0; i < 4; i++) {
            striped.next();
            cursor.next();
        }
        save();
        List<Long> counters = List.of(counter(striping.counter(0)), counter(striping.counter(1)));
        Sequence opened = sequences.open("s", Allocation.batch(10));
        CompletableFuture<Long> meanwhile = opened.nextAsync().toCompletableFuture();
        assertThat(meanwhile).isNotDone();
        restore();
        assertThat(meanwhile.join()).isEqualTo(1);
        for (Sequence each : List.of(striped, cursor)) {
            long value = each.next();
            assertThat(Math.floorDiv(value, 2L)).isGreaterThanOrEqualTo(counters.get((int) Math.floorMod(value, 2L)));
        }
    }

    @Test
    void a_process_whose_reservation_hangs_is_not_saved_and_goes_on() throws Exception {
        try (StoreSequences impatient =
                StoreSequences.builder(store).patience(Duration.ofSeconds(2)).build()) {
            Sequence sequence = impatient.open("s", Allocation.batch(10));
            Gate gate = new Gate();
            store.committed = gate;
            sequence.nextAsync();
            gate.awaitFirst();
            assertThatThrownBy(() -> new Checkpoints(impatient).beforeCheckpoint(Core.getGlobalContext()))
                    .isInstanceOf(SequenceException.Unavailable.class)
                    .hasMessageContainingAll("'s'", "has not ended within 2000 ms", "repeat the checkpoint");
            gate.open();
            new Checkpoints(impatient).beforeCheckpoint(Core.getGlobalContext());
            long counter = counter("s");
            new Checkpoints(impatient).afterRestore(Core.getGlobalContext());
            assertThat(sequence.next()).isEqualTo(counter);
        }
    }

    @Test
    void values_go_back_where_closing_gives_them_back() {
        try (StoreSequences givingBack =
                StoreSequences.builder(store).giveBackOnClose(true).build()) {
            assertThat(givingBack.open("s", Allocation.batch(10)).next()).isEqualTo(1);
            new Checkpoints(givingBack).beforeCheckpoint(Core.getGlobalContext());
            assertThat(counter("s")).isEqualTo(2);
        }
    }
}
