// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.engine.block.BlockSequence;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.Suspendable;
import dev.seriatim.engine.sizing.FixedSizing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of reserved values, and of callers, when a sequence is closed, or suspended to save the process. */
@Timeout(60)
class ReservedValuesTest extends LineGround {

    @BeforeEach
    void create() {
        memory.create(SequenceDefinition.of("s"));
    }

    /** Returns a sequence in blocks of ten that has dealt 1 to 3. */
    private BlockSequence batch(boolean givesBack) {
        return batch(givesBack, FixedSizing.NO_MARK);
    }

    private BlockSequence batch(boolean givesBack, long lowWaterMark) {
        Listeners listeners = listeners();
        BlockSequence batch = new BlockSequence(
                context(listeners),
                new Reserver("s", new Store(), listeners, timing),
                new FixedSizing(10, lowWaterMark),
                givesBack);
        batch.next(3);
        calls.clear();
        return batch;
    }

    // Closing

    @Test
    void reserved_values_are_lost_unless_the_sequence_gives_back() {
        Sequence batch = batch(false);
        batch.close();
        batch.close();
        assertThat(events).containsExactly("lost 4 to 10");
        assertThat(calls).isEmpty();
    }

    @Test
    void reserved_values_go_back_on_the_executor() {
        Sequence batch = batch(true);
        List<Runnable> handed = new ArrayList<>();
        executor = task -> {
            handed.add(task);
            timing.execute(task);
        };
        long began = timing.now();
        batch.close();
        assertThat(handed).hasSize(1);
        assertThat(events).containsExactly("given back 4 to 10");
        assertThat(counter()).isEqualTo(4);
        assertThat(timing.now()).as("waits no longer").isEqualTo(began);
    }

    @Test
    void reserved_values_of_confirmed_go_back_too() {
        Sequence confirmed = holding(confirmed(new Store(), true), 8);
        confirmed.close();
        assertThat(events).containsExactly("given back 9 to 12");
        assertThat(counter()).isEqualTo(9);
    }

    @Test
    void without_reserved_values_the_executor_has_nothing_to_do() {
        Sequence batch = batch(true);
        batch.next(7);
        executor = UNUSED;
        batch.close();
        assertThat(events).isEmpty();
        assertThat(calls).isEmpty();
    }

    @Test
    void values_that_no_thread_gives_back_in_time_are_lost_and_never_given_back() {
        Sequence batch = batch(true);
        List<Runnable> held = new ArrayList<>();
        executor = held::add;
        long began = timing.now();
        batch.close();
        assertThat(timing.now() - began).isEqualTo(NANOS);
        assertThat(events).containsExactly("lost 4 to 10");
        held.forEach(Runnable::run);
        assertThat(calls).isEmpty();
        assertThat(events).hasSize(1);
    }

    @Test
    void where_the_executor_takes_no_more_values_go_back_on_the_thread_that_closes() {
        Sequence batch = batch(true);
        timing.refusal = new RejectedExecutionException();
        batch.close();
        assertThat(events).containsExactly("given back 4 to 10");
    }

    @Test
    void closing_waits_no_longer_than_the_patience_for_values_that_go_back_and_does_not_lose_them() throws Exception {
        Sequence batch = batch(true);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        beforeReturn = () -> {
            asked.countDown();
            await(answers);
        };
        List<Thread> giving = new ArrayList<>();
        executor = task -> {
            Thread thread = new Thread(task);
            giving.add(thread);
            thread.start();
            await(asked);
        };
        long began = timing.now();
        batch.close();
        assertThat(timing.now() - began).isEqualTo(NANOS);
        assertThat(events).isEmpty();
        answers.countDown();
        giving.get(0).join();
        assertThat(events).containsExactly("given back 4 to 10");
    }

    @Test
    void values_are_lost_where_a_reservation_takes_the_whole_patience() {
        Sequence batch = batch(true, 5);
        List<Long> waited = new ArrayList<>();
        reserved = once(() -> {
            long began = timing.now();
            batch.close();
            waited.add(timing.now() - began);
        });
        batch.next(3);
        settle();
        assertThat(waited).containsExactly(NANOS);
        assertThat(calls).containsExactly("reserve 10");
        assertThat(events).containsExactly("lost 7 to 10", "lost 11 to 20");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closing_while_interrupted_does_not_wait_and_loses_the_reserved_values() {
        Sequence batch = batch(true);
        Thread.currentThread().interrupt();
        long began = timing.now();
        batch.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(timing.now()).isEqualTo(began);
        assertThat(events).containsExactly("lost 4 to 10");
        settle();
        assertThat(calls).isEmpty();
    }

    @Test
    void reserved_values_of_a_sequence_whose_counter_went_back_are_lost() {
        Sequence batch = batch(true);
        memory.giveBack("s", new Block(1, 10, 1), memory.describe("s").epoch()); // as in a restored backup
        assertThatThrownBy(() -> batch.next(8)).isInstanceOf(Regressed.class);
        batch.close();
        assertThat(calls).containsExactly("reserve 10");
        assertThat(events).filteredOn(beginsWith("lost")).containsExactly("lost 4 to 10");
    }

    @Test
    void a_threads_values_of_such_a_sequence_do_not_go_back_although_the_store_would_take_them() {
        Listeners listeners = listeners();
        Sequence sequence = new BlockSequence(
                context(listeners), new Reserver("s", new Store(), listeners, timing), new FixedSizing(100, 1), true);
        holding(sequence, 98); // 99 and 100 are in this thread's run, and the next block is due
        memory.giveBack("s", new Block(1, 100, 1), memory.describe("s").epoch());
        settle();
        sequence.close();
        assertThat(calls).containsExactly("reserve 100");
        assertThat(events).filteredOn(beginsWith("lost")).containsExactly("lost 99 to 100");
    }

    // Suspending

    @Test
    void nothing_is_reserved_or_dealt_while_suspended_and_waiting_callers_are_served_afterwards() {
        for (Sequence sequence : List.of(holding(confirmed(new Store(), false), 8), batch(false))) {
            calls.clear();
            events.clear();
            long counter = counter();
            ((Suspendable) sequence).suspend();
            CompletableFuture<Long> drawn = draw(sequence);
            settle();
            assertThat(events).singleElement().asString().startsWith("lost");
            assertThat(((Suspendable) sequence).inHand()).isZero();
            assertThat(drawn).isNotDone();
            assertThat(calls).isEmpty();
            ((Suspendable) sequence).resume();
            settle();
            assertThat(drawn).isCompletedWithValue(counter);
        }
    }

    @Test
    void reserved_values_go_back_when_suspended_and_are_dealt_again_afterwards() {
        BlockSequence batch = batch(true);
        batch.suspend();
        assertThat(events).containsExactly("given back 4 to 10");
        batch.resume();
        assertThat(batch.next()).isEqualTo(4);
    }

    @Test
    void a_reservation_that_has_not_begun_waits_until_the_sequence_is_resumed() {
        BlockSequence batch = batch(false);
        CompletableFuture<Long> waiting = waitsBehind(batch);
        assertThat(timing.tasks).hasSize(1);
        long began = timing.now();
        batch.suspend();
        assertThat(timing.now()).as("waits no longer than for that").isEqualTo(began);
        assertThat(calls).isEmpty();
        assertThat(waiting).isNotDone();
        batch.resume();
        settle();
        assertThat(waiting).isCompletedWithValue(11L);
    }

    /** Uses up the reserved values, and draws. */
    private static CompletableFuture<Long> waitsBehind(BlockSequence batch) {
        batch.next(7);
        return draw(batch);
    }

    @Test
    void a_sequence_whose_reservation_does_not_end_is_not_suspended_and_goes_on() {
        BlockSequence batch = batch(false);
        List<Long> waited = new ArrayList<>();
        reserved = once(() -> {
            long began = timing.now();
            assertThatThrownBy(batch::suspend)
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("a reservation has not ended within 400 ms")
                    .hasMessageContaining("repeat the checkpoint");
            waited.add(timing.now() - began);
        });
        CompletableFuture<Long> drawn = waitsBehind(batch);
        settle();
        assertThat(waited).containsExactly(NANOS);
        assertThat(drawn).isCompletedWithValue(11L);
        batch.next(9);
        assertThat(batch.next()).as("reserved as before").isEqualTo(21);
    }

    @Test
    void a_sequence_is_not_suspended_while_a_reservation_hangs_that_was_given_up() {
        BlockSequence batch = batch(false);
        reserved = once(() -> {
            timing.pass(NANOS + 1);
            CompletableFuture<Long> later = draw(batch);
            settle();
            assertThat(later).isCompletedWithValue(21L);
            assertThatThrownBy(batch::suspend).isInstanceOf(Unavailable.class);
        });
        CompletableFuture<Long> hung = waitsBehind(batch);
        settle();
        assertThat(hung).isCompletedExceptionally();
        batch.suspend();
        assertThat(events).as("what the late one brought too").contains("lost 11 to 20");
    }

    @Test
    void suspending_while_interrupted_does_not_wait_and_stays_interrupted() {
        BlockSequence batch = batch(false);
        reserved = once(() -> {
            Thread.currentThread().interrupt();
            long began = timing.now();
            assertThatThrownBy(batch::suspend).isInstanceOf(Unavailable.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(timing.now()).isEqualTo(began);
        });
        CompletableFuture<Long> drawn = waitsBehind(batch);
        settle();
        assertThat(drawn).isCompletedWithValue(11L);
    }
}
