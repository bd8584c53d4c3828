// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailingStoreTest {

    private static final Duration PATIENCE = Duration.ofMillis(300);

    /** Extra time for a busy machine. Schedules with virtual time check the exact moment. */
    private static final long SLACK_MILLIS = 5_000;

    private final HookedStore store = new HookedStore().with("s");

    private static void down(String name, long count) {
        throw new SequenceException.Unavailable(name, "connection refused; start the server", null);
    }

    private static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.confirmed(),
                Allocation.batch(10),
                Allocation.asyncBatch(10, 5),
                Allocation.adaptive());
    }

    @Test
    void a_store_that_is_down_is_named_and_the_next_call_tries_again() {
        for (Allocation mode : modes()) {
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open("s", mode);
                store.hook = FailingStoreTest::down;
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(sequence::next)
                            .as("%s", mode)
                            .isInstanceOf(SequenceException.Unavailable.class)
                            .hasMessageContainingAll("'s'", "connection refused");
                }
                store.hook = (name, count) -> {};
                assertThat(sequence.next()).isPositive();
            }
        }
    }

    @Test
    void what_is_left_of_a_block_is_dealt_while_the_store_is_down() {
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.asyncBatch(10, 5));
            assertThat(sequence.next()).isEqualTo(1);
            store.hook = FailingStoreTest::down;
            for (long value = 2; value <= 10; value++) {
                assertThat(sequence.next()).isEqualTo(value);
            }
            assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Unavailable.class);
            store.hook = (name, count) -> {};
            assertThat(sequence.next()).isEqualTo(11);
        }
    }

    @Test
    void a_background_fetch_that_failed_is_repeated_before_anybody_has_to_wait() throws Exception {
        CountDownLatch failed = new CountDownLatch(2);
        CountDownLatch fetched = new CountDownLatch(1);
        store.hook = (name, count) -> {
            if (failed.getCount() > 0 && store.asked.size() > 1) {
                failed.countDown();
                down(name, count);
            } else if (store.asked.size() > 1) {
                fetched.countDown();
            }
        };
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.asyncBatch(10, 5));
            sequence.next(6);
            assertThat(fetched.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(failed.getCount()).isZero();
        }
    }

    @Test
    void no_caller_waits_beyond_its_own_deadline_for_a_store_that_hangs() throws Exception {
        for (Allocation mode : modes()) {
            Gate gate = new Gate();
            store.hook = gate;
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                Sequence sequence = sequences.open("s", mode);
                List<Thread> callers = new ArrayList<>();
                List<Long> waited = java.util.Collections.synchronizedList(new ArrayList<>());
                AtomicInteger refused = new AtomicInteger();
                for (int i = 0; i < 16; i++) {
                    callers.add(new Thread(() -> {
                        long began = System.nanoTime();
                        Throwable failure = catchThrowable(sequence::next);
                        waited.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
                        if (failure instanceof SequenceException.Unavailable) {
                            refused.incrementAndGet();
                        }
                    }));
                }
                callers.forEach(Thread::start);
                for (Thread caller : callers) {
                    caller.join();
                }
                assertThat(refused).as("%s", mode).hasValue(16);
                assertThat(waited).allMatch(ms -> ms <= PATIENCE.toMillis() + SLACK_MILLIS);
                gate.open();
                store.hook = (name, count) -> {};
                assertThat(drawnAtLast(sequence)).as("%s", mode).isPositive();
            }
        }
    }

    /** On a busy machine, not every draw is answered in time. */
    private static long drawnAtLast(Sequence sequence) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                return sequence.next();
            } catch (SequenceException.Unavailable e) {
                assertThat(System.nanoTime()).as("still fails: %s", e).isLessThan(end);
            }
        }
    }

    @Test
    void a_reservation_that_never_comes_back_does_not_hold_up_those_after_it() {
        for (Allocation mode : modes()) {
            String name = "hangs once " + mode;
            HookedStore hanging = new HookedStore().with(name);
            Gate gate = new Gate();
            int slots = mode instanceof Allocation.Async ? StoreSequences.ASYNC_RESERVATIONS : 2;
            hanging.hook = (n, count) -> {
                if (hanging.asked.size() <= slots) {
                    gate.before(n, count);
                }
            };
            try (StoreSequences sequences = StoreSequences.builder(hanging)
                    .patience(Duration.ofMillis(40))
                    .build()) {
                Sequence sequence = sequences.open(name, mode);
                assertThat(drawnAtLast(sequence)).as("%s", mode).isPositive();
                gate.open();
            }
        }
    }

    @Test
    void an_interrupted_caller_stops_waiting_and_keeps_its_interrupt_status() throws Exception {
        Gate gate = new Gate();
        store.hook = gate;
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            AtomicInteger outcome = new AtomicInteger();
            Thread caller = new Thread(() -> {
                Throwable failure = catchThrowable(sequence::next);
                boolean kept = Thread.currentThread().isInterrupted();
                outcome.set(failure instanceof SequenceException.Unavailable && kept ? 1 : 2);
            });
            caller.start();
            gate.awaitFirst();
            caller.interrupt();
            caller.join(5000);
            assertThat(outcome).hasValue(1);
            gate.open();
            store.hook = (name, count) -> {};
            assertThat(sequence.next()).isPositive();
        }
    }

    @Test
    void a_lost_answer_to_a_commit_gives_the_range_up_and_reserves_anew() {
        AtomicInteger lost = new AtomicInteger(2);
        store.hook = (name, count) -> {
            if (lost.getAndDecrement() > 0) {
                store.memory.reserve(name, count); // committed, but not answered
                throw new SequenceException.CommitOutcomeUnknown(name, null);
            }
        };
        List<Long> given = new ArrayList<>();
        SequenceListener listener = new SequenceListener() {
            @Override
            public void outcomeUnknown(String sequence, long count) {
                given.add(count);
            }
        };
        try (StoreSequences sequences =
                StoreSequences.builder(store).listener(listener).build()) {
            assertThat(sequences.open("s", Allocation.async()).next()).isEqualTo(3);
        }
        assertThat(given).containsExactly(1L, 1L);
    }

    @Test
    void three_lost_answers_in_a_row_are_told_with_the_advice_to_draw_again() {
        for (Allocation mode : modes()) {
            String name = "unknown " + mode;
            store.with(name).hook = (n, count) -> {
                store.memory.reserve(n, count);
                throw new SequenceException.CommitOutcomeUnknown(n, null);
            };
            int asked = store.asked.size();
            List<Long> mayBeLost = new ArrayList<>();
            SequenceListener listener = new SequenceListener() {
                @Override
                public void outcomeUnknown(String sequence, long count) {
                    mayBeLost.add(count);
                }
            };
            try (StoreSequences sequences =
                    StoreSequences.builder(store).listener(listener).build()) {
                Sequence sequence = sequences.open(name, mode);
                assertThatThrownBy(sequence::next)
                        .as("%s", mode)
                        .isInstanceOf(SequenceException.Unavailable.class)
                        .hasMessageContainingAll(name, "draw again", "may be lost", "none is dealt twice")
                        .hasMessageNotContaining("transaction's rows")
                        .hasRootCauseInstanceOf(SequenceException.CommitOutcomeUnknown.class);
                assertThat(store.asked).hasSize(asked + 3);
                assertThat(mayBeLost).hasSize(3);
                store.hook = (n, count) -> {};
                assertThat(sequence.next()).as("%s", mode).isGreaterThan(3);
            }
        }
    }

    @Test
    void a_lost_answer_of_a_store_that_answers_at_once_is_no_callers_business() {
        AtomicInteger lost = new AtomicInteger(1);
        ImmediateStore immediate = new ImmediateStore() {
            @Override
            public Optional<Reservation> reserveNow(String name, long count) {
                Reservation reservation = store.memory.reserve(name, count);
                if (lost.getAndDecrement() > 0) {
                    throw new SequenceException.CommitOutcomeUnknown(name, null);
                }
                return Optional.of(reservation);
            }

            @Override
            public Reservation reserve(String name, long count) {
                return store.memory.reserve(name, count);
            }
        };
        try (StoreSequences sequences = StoreSequences.of(immediate)) {
            assertThat(sequences.open("s", Allocation.combined()).next()).isEqualTo(2);
        }
    }

    @Test
    void a_store_that_goes_back_stops_the_sequence_until_it_is_opened_anew() {
        for (Allocation mode : modes()) {
            String name = "went back " + mode;
            HookedStore restored = new HookedStore().with(name);
            try (StoreSequences sequences = StoreSequences.of(restored)) {
                Sequence sequence = sequences.open(name, mode);
                long seen = 0;
                for (int i = 0; i < 200; i++) {
                    seen = sequence.next();
                }
                restoreBackup(restored, name);
                Throwable failure = null;
                for (int i = 0; i < 2_000_000 && failure == null; i++) {
                    failure = catchThrowable(sequence::next);
                }
                assertThat(failure).as("%s", mode).isInstanceOf(SequenceException.Regressed.class);
                assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Regressed.class);
                sequence.close();
                restored.raise(name, 100_000_000);
                assertThat(sequences.open(name, mode).next()).isGreaterThan(seen);
            }
        }
    }

    /** Puts the counter back within the same epoch; in one step, so that no background fetch comes in between. */
    private static void restoreBackup(HookedStore store, String name) {
        boolean back = false;
        for (int i = 0; i < 1000 && !back; i++) {
            SequenceState now = store.describe(name);
            back = store.giveBack(name, new Block(2, now.nextValue() - 2, 1), now.epoch());
        }
        assertThat(back).isTrue();
    }

    @Test
    void a_deliberate_restart_is_no_regression() {
        for (Allocation mode : modes()) {
            String name = "restarted " + mode;
            store.with(name);
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                for (int i = 0; i < 50; i++) {
                    sequence.next();
                }
                store.restart(name, 1);
                TreeSet<Long> drawn = new TreeSet<>();
                for (int i = 0; i < 5000 && !drawn.contains(1L); i++) {
                    drawn.add(sequence.next());
                }
                assertThat(drawn).as("%s", mode).contains(1L);
            }
        }
    }
}
