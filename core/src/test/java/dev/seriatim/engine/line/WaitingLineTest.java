// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.LoneTiming;
import dev.seriatim.engine.block.BlockSequence;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.store.AwaitingStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which caller waits for which reservation, when one is sent, and what happens to callers if it fails, hangs or is
 * late; on one thread, with a clock that the test controls.
 */
@Timeout(60)
class WaitingLineTest extends OneThread {

    private static final String NO_MORE_WORK = "the executor rejected this work; use one that accepts it";

    private final Unavailable down = new Unavailable("s", "connection refused; start the server", null);
    private final List<Long> asked = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private SequenceDefinition definition = SequenceDefinition.of("s");
    private String awaited = "";
    private long counter;
    private int closings;
    private Answer answer = this::deal;

    // Who shares a reservation

    @Test
    void callers_who_wait_share_one_reservation_and_get_their_values_in_the_order_they_came() {
        Sequence combined = combined();
        List<CompletableFuture<Long>> drawn = draws(combined, 3);
        assertThat(timing.tasks).hasSize(1);
        settle();
        assertThat(asked).containsExactly(3L);
        assertThat(drawn).extracting(CompletableFuture::join).containsExactly(1L, 2L, 3L);
        assertThat(told).containsExactly("reserved 1 to 3");
    }

    @Test
    void a_piece_is_dealt_between_the_values_of_others() {
        Sequence combined = combined();
        CompletableFuture<Long> before = draw(combined);
        assertThat(combined.next(3)).isEqualTo(new Block(2, 3, 1));
        settle();
        assertThat(asked).containsExactly(4L);
        assertThat(before).isCompletedWithValue(1L);
    }

    @Test
    void whoever_comes_after_a_reservation_was_sent_waits_for_the_next() {
        Sequence combined = combined();
        List<CompletableFuture<Long>> late = new ArrayList<>();
        answers(count -> {
            late.add(draw(combined));
            return deal(count);
        });
        CompletableFuture<Long> first = draw(combined);
        settle();
        assertThat(asked).containsExactly(1L, 1L);
        assertThat(first).isCompletedWithValue(1L);
        assertThat(late.get(0)).isCompletedWithValue(2L);
    }

    @Test
    void in_async_each_caller_has_a_reservation_and_no_more_are_under_way_than_may_be() {
        Sequence async = async(new Store(), 2);
        List<CompletableFuture<Long>> drawn = draws(async, 4);
        assertThat(timing.tasks).hasSize(2);
        settle();
        assertThat(asked).containsExactly(1L, 1L, 1L, 1L);
        assertThat(drawn).extracting(CompletableFuture::join).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void in_async_no_more_reservations_are_sent_than_callers_wait() {
        Sequence async = async(new Store(), 16);
        List<CompletableFuture<Long>> drawn = draws(async, 3);
        assertThat(timing.tasks).hasSize(3);
        settle();
        assertThat(drawn.get(2)).isCompletedWithValue(3L);
    }

    @Test
    void in_async_every_caller_asks_a_store_that_has_nothing_left() {
        endsAt(1);
        Sequence async = async(new Store(), 2);
        async.next();
        assertThatThrownBy(async::next).isInstanceOf(Exhausted.class);
        List<CompletableFuture<Long>> drawn = draws(async, 2);
        assertThat(timing.tasks).hasSize(2);
        settle();
        assertThat(drawn).allSatisfy(one -> assertThat(failure(one)).isInstanceOf(Exhausted.class));
    }

    @Test
    void in_async_a_caller_whose_reservation_fails_hears_it_alone() {
        Sequence async = async(new Store(), 2);
        answers(failing(down));
        List<CompletableFuture<Long>> drawn = draws(async, 2);
        settle();
        assertThat(failure(drawn.get(0))).isInstanceOf(Unavailable.class);
        assertThat(drawn.get(1)).isCompletedWithValue(1L);
    }

    @Test
    void a_reservation_that_nobody_waits_for_any_more_is_not_sent() {
        Sequence combined = combined();
        CompletableFuture<Long> drawn = draw(combined);
        drawn.cancel(false);
        settle();
        assertThat(asked).isEmpty();
        assertThat(combined.next()).isEqualTo(1);
    }

    // Blocks shorter than requested

    @Test
    void a_piece_that_others_cut_short_is_lost_and_fetched_anew() {
        Sequence combined = combined();
        answers(count -> deal(2));
        assertThat(combined.next(5)).isEqualTo(new Block(3, 5, 1));
        assertThat(asked).containsExactly(5L, 5L);
        assertThat(told).containsSubsequence("reserved 1 to 2", "lost 1 to 2", "reserved 3 to 7");
    }

    @Test
    void who_does_not_fit_into_a_short_block_leaves_it_to_those_behind() {
        Sequence combined = combined();
        answers(count -> deal(2));
        CompletableFuture<Long> one = draw(combined);
        List<CompletableFuture<Long>> behind = new ArrayList<>();
        timing.tasks.addFirst(() -> behind.add(draw(combined)));
        assertThat(combined.next(5)).isEqualTo(new Block(3, 5, 1));
        settle();
        assertThat(asked).containsExactly(7L, 5L);
        assertThat(one).isCompletedWithValue(1L);
        assertThat(behind.get(0)).isCompletedWithValue(2L);
        assertThat(told).noneMatch(beginsWith("lost"));
    }

    @Test
    void at_the_end_of_the_sequence_a_piece_is_what_is_left() {
        endsAt(3);
        Sequence combined = combined();
        assertThat(combined.next(5)).isEqualTo(new Block(1, 3, 1));
        assertThat(asked).containsExactly(5L);
        assertThatThrownBy(combined::next).isInstanceOf(Exhausted.class);
    }

    @Test
    void at_the_end_of_the_sequence_the_last_caller_fails_with_exhausted() {
        endsAt(2);
        Sequence combined = combined();
        List<CompletableFuture<Long>> drawn = draws(combined, 3);
        settle();
        assertThat(asked).containsExactly(3L, 1L);
        assertThat(drawn.get(1)).isCompletedWithValue(2L);
        assertThat(failure(drawn.get(2))).isInstanceOf(Exhausted.class);
    }

    @Test
    void at_the_end_of_a_block_sequence_a_piece_is_what_is_left() {
        endsAt(3);
        Sequence batch = batch(2);
        assertThat(batch.next(5)).isEqualTo(new Block(1, 3, 1));
    }

    @Test
    void at_the_end_of_a_sequence_that_deals_by_its_cache_a_piece_is_what_is_left() {
        definition = SequenceDefinition.named("s").maxValue(13L).cache(10).build();
        Sequence batch = batch(SequenceStore.CACHE);
        batch.next();
        batch.next(9);
        assertThat(batch.next(5)).isEqualTo(new Block(11, 3, 1));
        assertThat(asked).containsExactly(SequenceStore.CACHE, SequenceStore.CACHE);
    }

    @Test
    void a_piece_in_two_blocks_that_belong_together_is_dealt_without_waiting() {
        Sequence sequence = asyncBatch(10, 4);
        sequence.next();
        sequence.next(6);
        settle();
        told.clear();
        assertThat(sequence.next(5)).isEqualTo(new Block(8, 5, 1));
        assertThat(told).isEmpty();
    }

    @Test
    void a_piece_larger_than_a_block_that_others_cut_short_waits_for_the_next_block() {
        Sequence batch = batch(10);
        answers(count -> deal(4), count -> {
            counter += 100; // others draw
            return deal(count);
        });
        assertThat(batch.next(6)).isEqualTo(new Block(105, 6, 1));
        assertThat(asked).containsExactly(10L, 10L);
        assertThat(batch.next(4)).isEqualTo(new Block(111, 4, 1));
        assertThat(batch.next()).as("what is left of the first").isEqualTo(1);
    }

    // A store that fails

    @Test
    void a_failure_is_each_callers_own_exception_and_told_once() {
        Sequence combined = combined();
        answers(failing(down));
        List<CompletableFuture<Long>> drawn = draws(combined, 2);
        settle();
        assertThat(told).containsExactly("failed: " + down.getMessage());
        Throwable first = failure(drawn.get(0));
        assertThat(first).isInstanceOf(Unavailable.class).hasMessage(down.getMessage());
        assertThat(first).isNotSameAs(down).isNotSameAs(failure(drawn.get(1)));
        assertThat(asked).as("no caller waits any more").containsExactly(2L);
    }

    @Test
    void what_a_store_must_not_throw_is_a_store_that_failed() {
        Sequence combined = combined();
        answers(failing(new StackOverflowError("deep")));
        assertThatThrownBy(combined::next)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("the store failed: java.lang.StackOverflowError: deep");
        timing.passMillis(10);
        assertThat(combined.next()).isEqualTo(1);
    }

    @Test
    void after_a_failure_the_next_reservation_waits_and_each_time_longer() {
        patience = Duration.ofSeconds(2);
        Sequence combined = combined();
        fails(combined);
        for (long pause : new long[] {10, 20, 40, 80, 160, 320, 320}) {
            answers(failing(down));
            pauses(combined, pause);
        }
        answer = this::deal;
        pauses(combined, 320);
        fails(combined);
        answers(failing(down));
        pauses(combined, 10); // as if it had never failed
    }

    @Test
    void all_who_wait_for_the_end_of_the_pause_have_one_timer_and_one_reservation() {
        Sequence combined = combined();
        fails(combined);
        List<CompletableFuture<Long>> drawn = draws(combined, 3);
        assertThat(timing.timers).as("three for the patience").hasSize(3 + 1);
        timing.passMillis(10);
        settle();
        assertThat(asked).containsExactly(1L, 3L);
        assertThat(drawn).extracting(CompletableFuture::join).containsExactly(1L, 2L, 3L);
    }

    @Test
    void whoever_draws_when_the_pause_is_over_does_not_wait_for_a_timer() {
        Sequence combined = combined();
        fails(combined);
        timing.passMillis(10);
        long began = timing.now();
        assertThat(combined.next()).isEqualTo(1);
        assertThat(timing.now()).isEqualTo(began);
    }

    @Test
    void a_store_that_refuses_is_up_and_asked_again_at_once() {
        endsAt(1);
        Sequence combined = combined();
        combined.next();
        assertThatThrownBy(combined::next).isInstanceOf(Exhausted.class);
        endsAt(2);
        long began = timing.now();
        assertThat(combined.next()).isEqualTo(2);
        assertThat(timing.now()).isEqualTo(began);
    }

    @Test
    void a_store_that_has_nothing_left_is_asked_again_only_for_callers() {
        endsAt(4);
        Sequence sequence = asyncBatch(4, 2);
        IntStream.range(0, 3).forEach(i -> sequence.next());
        settle();
        assertThat(asked).containsExactly(4L, 4L);
        assertThat(sequence.next()).isEqualTo(4);
        settle();
        assertThat(asked).hasSize(2);
        assertThatThrownBy(sequence::next).isInstanceOf(Exhausted.class);
        assertThat(asked).hasSize(3);
    }

    @Test
    void who_has_no_timer_for_the_pause_hears_it_at_once_and_the_next_draws() {
        Sequence combined = combined();
        fails(combined);
        timing.noTimer = new OutOfMemoryError("unable to create native thread");
        long began = timing.now();
        assertThatThrownBy(combined::next)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no thread to reserve on, the executor failed: java.lang.OutOfMemoryError");
        assertThat(timing.now()).isEqualTo(began);
        timing.noTimer = null;
        assertThat(combined.next()).isEqualTo(1);
        assertThat(timing.now() - began).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
    }

    @Test
    void a_future_that_has_no_timer_fails_and_draws_nothing() {
        Sequence combined = combined();
        timing.noTimer = new OutOfMemoryError("unable to create native thread");
        CompletableFuture<Long> drawn = draw(combined);
        assertThat(failure(drawn)).isInstanceOf(Unavailable.class).hasMessageContaining("OutOfMemoryError");
        settle();
        assertThat(asked).isEmpty();
    }

    // An executor that fails

    @Test
    void who_has_no_thread_to_reserve_on_hears_it() {
        Sequence combined = combined();
        timing.refusal = new RejectedExecutionException();
        assertThatThrownBy(combined::next).isInstanceOf(Unavailable.class).hasMessageContaining(NO_MORE_WORK);
        assertThat(asked).isEmpty();
        timing.refusal = null;
        timing.passMillis(10);
        assertThat(combined.next()).isEqualTo(1);
    }

    @Test
    void whose_executor_has_failed_hears_what_it_threw() {
        executor = task -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        Sequence combined = combined();
        assertThatThrownBy(combined::next)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no thread to reserve on, the executor failed: java.lang.OutOfMemoryError");
    }

    @Test
    void who_comes_while_the_executor_refuses_another_is_served_after_the_pause() {
        Sequence combined = combined();
        List<CompletableFuture<Long>> late = new ArrayList<>();
        refusesOnceAfter(() -> late.add(draw(combined)));
        assertThatThrownBy(combined::next).isInstanceOf(Unavailable.class).hasMessageContaining(NO_MORE_WORK);
        timing.passMillis(10);
        settle();
        assertThat(late.get(0)).isCompletedWithValue(1L);
    }

    @Test
    void who_comes_while_the_executor_refuses_to_fetch_ahead_is_served_after_the_pause() {
        Sequence sequence = asyncBatch(10, 4);
        IntStream.range(0, 6).forEach(i -> sequence.next());
        List<CompletableFuture<Long>> late = new ArrayList<>();
        refusesOnceAfter(() -> IntStream.range(0, 4).forEach(i -> late.add(draw(sequence))));
        assertThat(sequence.next()).isEqualTo(7);
        assertThat(late.get(3)).isNotDone();
        timing.passMillis(10);
        settle();
        assertThat(late).extracting(CompletableFuture::join).containsExactly(8L, 9L, 10L, 11L);
    }

    private void refusesOnceAfter(Runnable meanwhile) {
        executor = task -> {
            executor = timing;
            meanwhile.run();
            throw new RejectedExecutionException();
        };
    }

    @Test
    void what_fails_beside_the_executor_is_not_forgotten() {
        Sequence sequence = blocks(new Sizes() {
            @Override
            public void sent(long now, long wanted) {
                throw new OutOfMemoryError("full");
            }
        });
        RejectedExecutionException refusal = new RejectedExecutionException();
        timing.refusal = refusal;
        assertThatThrownBy(sequence::next).isInstanceOf(Unavailable.class).hasMessageContaining(NO_MORE_WORK);
        assertThat(refusal).hasSuppressedException(new OutOfMemoryError("full"));
    }

    @Test
    void who_waits_on_a_thread_that_fails_is_dealt_nothing() {
        Sequence combined = combined();
        timing.tasks.add(() -> {
            throw new StackOverflowError("deep");
        });
        assertThatThrownBy(combined::next).isInstanceOf(StackOverflowError.class);
        settle();
        assertThat(asked).isEmpty();
    }

    @Test
    void work_that_an_executor_has_done_before_it_threw_counts() {
        executor = task -> {
            task.run();
            throw new IllegalStateException("after all");
        };
        Sequence combined = combined();
        assertThat(combined.next()).isEqualTo(1);
        assertThat(combined.next()).isEqualTo(2);
        assertThat(draw(combined)).isCompletedWithValue(3L);
        assertThat(asked).containsExactly(1L, 1L, 1L);
        assertThat(told).noneMatch(beginsWith("lost"));
    }

    @Test
    void work_that_an_executor_does_after_it_threw_is_nobodys() {
        executor = task -> {
            timing.tasks.add(task);
            throw new IllegalStateException("not now");
        };
        Sequence combined = combined();
        assertThatThrownBy(combined::next).isInstanceOf(Unavailable.class).hasMessageContaining("not now");
        settle();
        assertThat(asked).isEmpty();
    }

    @Test
    void work_that_the_executor_drops_is_abandoned_when_the_patience_is_over() {
        Sequence combined = combined();
        for (int i = 0; i < 20; i++) {
            Deque<Runnable> dropped = new ArrayDeque<>();
            executor = dropped::add;
            CompletableFuture<Long> unlucky = draw(combined);
            executor = timing;
            timing.pass(NANOS);
            CompletableFuture<Long> early = draw(combined);
            settle();
            assertThat(asked).as("at that moment").hasSize(i);
            assertThat(failure(unlucky)).isInstanceOf(Unavailable.class);
            timing.pass(1);
            CompletableFuture<Long> drawn = draw(combined);
            dropped.remove().run();
            assertThat(asked).as("the late run of its task").hasSize(i);
            settle();
            assertThat(asked).hasSize(i + 1);
            assertThat(early).isCompletedWithValue(2L * i + 1);
            assertThat(drawn).isCompletedWithValue(2L * i + 2);
        }
    }

    @Test
    void in_async_a_caller_whose_work_is_dropped_leaves_the_way_free() {
        Sequence async = async(new Store(), 1);
        executor = task -> {};
        CompletableFuture<Long> unlucky = draw(async);
        executor = timing;
        timing.pass(NANOS + 1);
        assertThat(async.next()).isEqualTo(1);
        assertThat(failure(unlucky)).isInstanceOf(Unavailable.class);
    }

    // A store that hangs

    @Test
    void a_reservation_that_hangs_holds_nobody_up_whose_patience_begins_later() {
        Sequence combined = combined();
        List<CompletableFuture<Long>> later = new ArrayList<>();
        answers(count -> {
            Reservation late = deal(count);
            timing.pass(NANOS);
            later.add(draw(combined));
            settle();
            assertThat(later.get(0)).as("at that moment").isNotDone();
            timing.pass(1);
            later.add(draw(combined));
            settle();
            return late;
        });
        CompletableFuture<Long> hung = draw(combined);
        settle();
        assertThat(failure(hung)).isInstanceOf(Unavailable.class).hasMessageContaining("no answer from the store");
        assertThat(later).extracting(CompletableFuture::join).containsExactly(2L, 3L);
        assertThat(told).endsWith("lost 1 to 1");
    }

    @Test
    void a_caller_behind_a_reservation_that_hangs_is_served_although_no_other_comes() {
        Sequence combined = combined();
        List<CompletableFuture<Long>> behind = new ArrayList<>();
        answers(count -> {
            timing.pass(NANOS / 2);
            behind.add(draw(combined));
            timing.pass(NANOS * 3 / 4);
            settle();
            assertThat(behind.get(0)).isCompletedWithValue(1L);
            return deal(count);
        });
        CompletableFuture<Long> hung = draw(combined);
        settle();
        assertThat(failure(hung)).isInstanceOf(Unavailable.class).hasMessageContaining("no answer from the store");
        assertThat(asked).containsExactly(1L, 1L);
        timing.pass(NANOS);
        assertThat(timing.timers).as("no look when no caller waits").isEmpty();
    }

    @Test
    void a_caller_behind_none_sets_no_timer_and_many_behind_one_set_one() {
        Sequence combined = combined();
        combined.next();
        assertThat(timing.timers).isEmpty();
        List<CompletableFuture<Long>> behind = new ArrayList<>();
        answers(count -> {
            behind.addAll(draws(combined, 3));
            assertThat(timing.timers).as("four for the patience, and one").hasSize(4 + 1);
            return deal(count);
        });
        behind.add(draw(combined));
        settle();
        assertThat(behind).allMatch(CompletableFuture::isDone);
    }

    @Test
    void a_timer_that_could_not_be_set_is_set_for_the_next_caller() {
        Sequence combined = combined();
        answers(count -> {
            timing.noTimer = new OutOfMemoryError("unable to create native thread");
            assertThatThrownBy(combined::next)
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("no answer from the store");
            timing.noTimer = null;
            CompletableFuture<Long> next = draw(combined);
            timing.pass(NANOS / 8);
            settle();
            assertThat(next).isCompletedWithValue(1L);
            return deal(count);
        });
        CompletableFuture<Long> hung = draw(combined);
        settle();
        assertThat(asked).hasSize(2);
        assertThat(hung).isCompletedExceptionally();
    }

    @Test
    void what_an_abandoned_reservation_asked_for_is_not_counted_on() {
        Sequence sequence = asyncBatch(10, 8);
        List<Long> meanwhile = new ArrayList<>();
        sequence.next();
        answers(count -> {
            timing.pass(NANOS + 1);
            sequence.next(7);
            draws(sequence, 2);
            timing.run();
            meanwhile.addAll(asked);
            return deal(count);
        });
        sequence.next(2);
        timing.run();
        assertThat(meanwhile).as("for the two, and ahead, since 8 are left").containsExactly(10L, 10L, 10L, 10L);
    }

    @Test
    void three_that_hang_are_abandoned_and_the_fourth_keeps_its_place() {
        Sequence combined = combined();
        for (int round = 0; round < 2; round++) {
            asked.clear();
            answer = count -> {
                Reservation late = deal(count);
                if (asked.size() < 10) {
                    timing.pass(NANOS + 1);
                    CompletableFuture<Long> next = draw(combined);
                    settle();
                    next.cancel(false);
                }
                return late;
            };
            CompletableFuture<Long> first = draw(combined);
            settle();
            assertThat(first).isCompletedExceptionally();
            assertThat(asked).hasSize(1 + 3);
            assertThat(told).filteredOn(beginsWith("lost")).hasSize(4 * (round + 1));
        }
    }

    @Test
    void where_two_may_be_under_way_six_may_hang_beside_them() {
        Sequence async = async(new Store(), 2);
        answer = count -> {
            Reservation late = deal(count);
            if (asked.size() < 20) {
                timing.pass(NANOS + 1);
                CompletableFuture<Long> next = draw(async);
                settle();
                next.cancel(false);
            }
            return late;
        };
        CompletableFuture<Long> first = draw(async);
        settle();
        assertThat(first).isCompletedExceptionally();
        assertThat(asked).hasSize(2 + 6);
    }

    @Test
    void a_late_block_is_dealt_from_like_any_other() {
        Sequence batch = batch(2);
        answers(count -> {
            Reservation late = deal(count);
            timing.pass(NANOS + 1);
            CompletableFuture<Long> other = draw(batch);
            settle();
            assertThat(other).isCompletedWithValue(3L);
            return late;
        });
        CompletableFuture<Long> hung = draw(batch);
        settle();
        assertThat(failure(hung)).isInstanceOf(Unavailable.class);
        assertThat(List.of(batch.next(), batch.next(), batch.next())).containsExactly(4L, 1L, 2L);
        assertThat(told).noneMatch(beginsWith("lost"));
    }

    // Several reservations ahead

    @Test
    void who_finds_nothing_left_waits_for_what_others_are_fetching() {
        Sequence sequence = ahead();
        List<CompletableFuture<Long>> beside = new ArrayList<>();
        answers(count -> {
            Reservation last = deal(count);
            answers(exhausted());
            beside.add(draw(sequence));
            settle();
            return last;
        });
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        assertThat(asked).startsWith(5L, 5L);
        assertThat(drawn).isCompletedWithValue(6L);
        assertThat(beside.get(0)).isCompletedWithValue(7L);
    }

    @Test
    void while_one_has_not_begun_no_other_is_sent() {
        Sequence sequence = ahead();
        draws(sequence, 2);
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void one_that_has_become_needless_asks_nothing_and_leaves_its_callers_to_the_others() {
        Sequence sequence = ahead();
        List<CompletableFuture<Long>> beside = new ArrayList<>();
        answers(count -> {
            beside.add(draw(sequence));
            assertThat(timing.tasks).hasSize(1);
            mark = 0;
            settle();
            return deal(count);
        });
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        assertThat(asked).containsExactly(5L);
        assertThat(drawn).isCompletedWithValue(6L);
        assertThat(beside.get(0)).isCompletedWithValue(7L);
    }

    @Test
    void when_all_of_them_find_nothing_left_everybody_hears_it() {
        Sequence sequence = ahead();
        List<CompletableFuture<Long>> beside = new ArrayList<>();
        answers(
                count -> {
                    beside.add(draw(sequence));
                    settle();
                    throw new Exhausted(definition);
                },
                exhausted(),
                exhausted());
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        assertThat(failure(drawn)).isInstanceOf(Exhausted.class);
        assertThat(failure(beside.get(0))).isInstanceOf(Exhausted.class);
    }

    @Test
    void who_finds_nothing_left_takes_what_others_have_fetched_meanwhile() {
        Sequence sequence = ahead();
        List<CompletableFuture<Long>> beside = new ArrayList<>();
        answers(
                count -> {
                    beside.add(draw(sequence));
                    settle();
                    throw new Exhausted(definition);
                },
                this::deal);
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        assertThat(drawn.join() + beside.get(0).join()).isEqualTo(6 + 7);
    }

    private long mark = 5;

    /** Returns a sequence that fetches up to two blocks of five at a time, the first of which is used up. */
    private Sequence ahead() {
        Sequence sequence = blocks(new Sizes() {
            @Override
            public int maxReservations() {
                return 2;
            }

            @Override
            public long lowWaterMark() {
                return mark;
            }
        });
        answers(this::deal, failing(down));
        sequence.next();
        timing.tasks.clear(); // the task that fetches ahead
        assertThat(sequence.next(4)).isEqualTo(new Block(2, 4, 1));
        timing.tasks.clear();
        timing.pass(2 * NANOS); // the reservation is abandoned
        timing.tasks.clear();
        timing.pass(2 * NANOS);
        asked.clear();
        answer = this::deal;
        return sequence;
    }

    // Blocks

    @Test
    void a_block_is_fetched_ahead_when_the_mark_is_reached_and_nobody_waits() {
        Sequence sequence = asyncBatch(10, 4);
        sequence.next();
        IntStream.range(0, 5).forEach(i -> sequence.next());
        assertThat(timing.tasks).isEmpty();
        sequence.next();
        assertThat(timing.tasks).hasSize(1);
        sequence.next();
        assertThat(timing.tasks).as("it is under way").hasSize(1);
        settle();
        assertThat(asked).containsExactly(10L, 10L);
        IntStream.range(0, 8).forEach(i -> sequence.next());
        assertThat(sequence.next()).isEqualTo(17);
        assertThat(told).filteredOn(beginsWith("waited")).hasSize(1);
    }

    @Test
    void the_size_of_blocks_learns_how_long_one_took_from_when_it_was_called_for_and_how_many_values_were_wanted() {
        List<String> learnt = new ArrayList<>();
        Sequence sequence = blocks(new Sizes() {
            @Override
            public long lowWaterMark() {
                return 2;
            }

            @Override
            public void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall) {
                learnt.add(wanted + " wanted, " + TimeUnit.NANOSECONDS.toMillis(tookNanos) + " ms");
            }
        });
        answer = count -> {
            timing.passMillis(30);
            return deal(count);
        };
        sequence.next();
        sequence.next(3);
        timing.passMillis(5); // until the executor starts
        settle();
        assertThat(learnt).containsExactly("1 wanted, 30 ms", "4 wanted, 35 ms");
    }

    @Test
    void the_size_of_blocks_learns_of_callers_who_gave_up_but_not_of_those_who_heard_a_failure() {
        List<Long> learnt = new ArrayList<>();
        Sequence sequence = blocks(new Sizes() {
            @Override
            public void sent(long now, long wanted) {
                learnt.add(wanted);
            }
        });
        fails(sequence);
        timing.passMillis(10);
        answer = this::deal;
        List<CompletableFuture<Long>> drawn = draws(sequence, 3);
        drawn.get(0).cancel(false);
        settle();
        assertThat(learnt).containsExactly(1L, 3L);
        draws(sequence, 4);
        settle();
        assertThat(learnt)
                .as("2 dealt of the first block, 1 in vain, 3 from the rest, 1 waits")
                .last()
                .isEqualTo(7L);
    }

    @Test
    void more_than_a_block_is_asked_for_when_more_wait() {
        Sequence batch = batch(2);
        List<CompletableFuture<Long>> drawn = draws(batch, 3);
        settle();
        assertThat(asked).containsExactly(3L);
        assertThat(drawn.get(2)).isCompletedWithValue(3L);
    }

    @Test
    void without_memory_to_take_a_block_in_its_callers_hear_it_and_the_next_draws() {
        Sizes sizes = new Sizes() {
            @Override
            public void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall) {
                if (asked.size() == 1) {
                    throw new OutOfMemoryError("full");
                }
            }
        };
        Sequence sequence = blocks(sizes);
        List<CompletableFuture<Long>> drawn = draws(sequence, 2);
        settle();
        for (CompletableFuture<Long> failed : drawn) {
            assertThat(failure(failed))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("the store failed: java.lang.OutOfMemoryError: full");
        }
        assertThat(asked).as("no caller is left in line").hasSize(1);
        assertThat(sequence.next()).isEqualTo(6);
    }

    @Test
    void without_memory_to_send_a_reservation_its_callers_hear_it_and_the_next_draws() {
        boolean[] full = {true};
        Sizes sizes = new Sizes() {
            @Override
            public void sent(long now, long wanted) {
                if (full[0]) {
                    throw new OutOfMemoryError("full");
                }
            }
        };
        Sequence sequence = blocks(sizes);
        assertThatThrownBy(sequence::next).isInstanceOf(Unavailable.class).hasMessageContaining("full");
        full[0] = false;
        timing.passMillis(10);
        assertThat(sequence.next()).isEqualTo(1);
        assertThat(asked).containsExactly(5L);
    }

    @Test
    void without_memory_to_begin_a_reservation_its_caller_hears_it() {
        boolean[] full = {false};
        Sequence sequence = blocks(fullWhile(full));
        full[0] = true;
        assertThatThrownBy(sequence::next).isInstanceOf(Unavailable.class).hasMessageContaining("full");
        full[0] = false;
        assertThat(sequence.next()).isEqualTo(1);
    }

    @Test
    void without_memory_to_begin_another_reservation_a_caller_is_served_after_the_one_under_way() {
        boolean[] full = {false};
        Sequence sequence = blocks(new Sizes() {
            @Override
            public long lowWaterMark() {
                return notFull(full, super.lowWaterMark());
            }

            @Override
            public int maxReservations() {
                return 2;
            }
        });
        List<CompletableFuture<Long>> beside = new ArrayList<>();
        answers(count -> deal(1), count -> {
            full[0] = true;
            beside.add(draw(sequence));
            full[0] = false;
            return deal(1);
        });
        assertThat(sequence.next()).isEqualTo(1);
        assertThat(sequence.next()).isEqualTo(2);
        settle();
        assertThat(beside.get(0)).isCompletedWithValue(3L);
    }

    @Test
    void without_memory_to_begin_the_next_reservation_those_who_wait_for_it_hear_it() {
        boolean[] full = {false};
        Sequence sequence = blocks(fullWhile(full));
        List<CompletableFuture<Long>> beside = new ArrayList<>();
        answers(count -> {
            beside.add(draw(sequence));
            full[0] = true;
            return deal(1);
        });
        assertThat(sequence.next()).isEqualTo(1);
        settle();
        assertThat(failure(beside.get(0))).isInstanceOf(Unavailable.class).hasMessageContaining("full");
    }

    @Test
    void without_memory_to_send_a_reservation_that_is_answered_at_once_its_caller_hears_it() {
        boolean[] full = {true};
        Sizes sizes = new Sizes() {
            @Override
            public void sent(long now, long wanted) {
                if (full[0]) {
                    throw new OutOfMemoryError("full");
                }
            }
        };
        Sequence sequence = new BlockSequence(context(), reserver(new Immediate()), sizes, false);
        assertThatThrownBy(sequence::next).isInstanceOf(Unavailable.class).hasMessageContaining("full");
        full[0] = false;
        timing.passMillis(10);
        assertThat(sequence.next()).isEqualTo(1);
    }

    private static Sizes fullWhile(boolean[] full) {
        return new Sizes() {
            @Override
            public long size() {
                return notFull(full, super.size());
            }
        };
    }

    private static long notFull(boolean[] full, long value) {
        if (full[0]) {
            throw new OutOfMemoryError("full");
        }
        return value;
    }

    // A store that answers immediately

    @Test
    void a_store_that_answers_at_once_is_asked_on_the_callers_thread_and_nobody_waits() {
        Sequence combined = combined(new Immediate());
        executor = UNUSED;
        assertThat(combined.next()).isEqualTo(1);
        assertThat(draw(combined)).isCompletedWithValue(2L);
        assertThat(timing.timers).isEmpty();
        assertThat(told).containsExactly("reserved 1 to 1", "reserved 2 to 2");
    }

    @Test
    void a_store_that_would_have_to_wait_is_asked_on_the_executor() {
        Sequence combined = combined(new Immediate() {
            @Override
            public Optional<Reservation> reserveNow(String name, long count) {
                return Optional.empty();
            }
        });
        CompletableFuture<Long> drawn = draw(combined);
        assertThat(timing.tasks).hasSize(1);
        settle();
        assertThat(drawn).isCompletedWithValue(1L);
        timing.refusal = new RejectedExecutionException();
        assertThatThrownBy(combined::next).isInstanceOf(Unavailable.class).hasMessageContaining(NO_MORE_WORK);
        timing.refusal = null;
        timing.passMillis(10);
        assertThat(combined.next()).isEqualTo(2);
    }

    @Test
    void a_store_that_fails_at_once_fails_its_caller() {
        Sequence combined = combined(new Immediate());
        answers(failing(down));
        assertThatThrownBy(combined::next).isInstanceOf(Unavailable.class).hasMessageContaining("connection refused");
        assertThat(told.get(0)).isEqualTo("failed: " + down.getMessage());
        timing.passMillis(10);
        assertThat(combined.next()).isEqualTo(1);
    }

    // Callers whose patience ends

    @Test
    void a_caller_waits_as_long_as_its_patience_and_hears_that_the_store_did_not_answer() {
        executor = task -> {};
        Sequence combined = combined();
        long began = timing.now();
        assertThatThrownBy(combined::next)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining(
                        "no answer from the store within 400 ms; check that it runs and is reachable, and that no"
                                + " transaction holds the lock on this sequence; the next call tries again")
                .hasNoCause();
        assertThat(timing.now() - began).isEqualTo(NANOS);
        assertThat(told).containsExactly("waited 400 ms");
    }

    @Test
    void a_future_waits_as_long_as_its_patience() {
        executor = task -> {};
        Sequence combined = combined();
        CompletableFuture<Long> drawn = draw(combined);
        executor = timing;
        timing.pass(NANOS - 1);
        settle();
        assertThat(drawn).isNotDone();
        timing.pass(1);
        settle();
        assertThat(failure(drawn))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no answer from the store within 400 ms");
    }

    @Test
    void who_waits_in_vain_hears_the_last_failure_too() {
        patience = Duration.ofMillis(5);
        Sequence combined = combined();
        fails(combined);
        assertThatThrownBy(combined::next)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no answer from the store within 5 ms")
                .cause()
                .hasMessage(down.getMessage());
    }

    @Test
    void who_waits_in_vain_hears_what_the_store_waits_for() {
        awaited = "a connection of the pool";
        executor = task -> {};
        Sequence combined = combined();
        assertThatThrownBy(combined::next)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("waited 400 ms for a connection of the pool");
    }

    @Test
    void who_waits_in_vain_while_others_are_served_hears_that_it_had_no_turn() {
        Sequence async = async(new Store(), 1);
        answers(this::deal, count -> {
            timing.pass(NANOS);
            settle();
            return deal(count);
        });
        List<CompletableFuture<Long>> drawn = draws(async, 2);
        settle();
        assertThat(drawn.get(0)).isCompletedWithValue(1L);
        assertThat(failure(drawn.get(1)))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("no turn within 400 ms although the store answers");
        assertThat(told).endsWith("lost 2 to 2");
    }

    @Test
    void those_who_were_served_before_do_not_count() {
        Sequence async = async(new Store(), 1);
        async.next();
        executor = task -> {};
        assertThatThrownBy(async::next).isInstanceOf(Unavailable.class);
    }

    @Test
    void a_value_that_arrives_before_its_caller_has_given_up_is_its_own() {
        Sequence combined = combined();
        answers(count -> {
            timing.pass(NANOS);
            return deal(count);
        });
        CompletableFuture<Long> drawn = draw(combined);
        settle();
        assertThat(drawn).isCompletedWithValue(1L);
        assertThat(told).containsExactly("reserved 1 to 1");
    }

    @Test
    void a_failure_that_arrives_before_its_caller_has_given_up_is_its_own() {
        Sequence combined = combined();
        answers(count -> {
            timing.pass(NANOS);
            throw down;
        });
        CompletableFuture<Long> drawn = draw(combined);
        settle();
        assertThat(failure(drawn)).hasMessage(down.getMessage()).isNotSameAs(down);
    }

    @Test
    void who_is_interrupted_hears_that_stays_interrupted_and_is_dealt_nothing() {
        Sequence combined = combined();
        Thread.currentThread().interrupt();
        assertThatThrownBy(combined::next)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("interrupted while waiting for the store")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        settle();
        assertThat(asked).isEmpty();
    }

    @Test
    void who_is_interrupted_and_served_without_waiting_gets_the_value() {
        executor = Runnable::run;
        Sequence combined = combined();
        Thread.currentThread().interrupt();
        assertThat(combined.next()).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void how_long_a_caller_waited_is_told() {
        Sequence combined = combined();
        answers(count -> {
            timing.passMillis(30);
            return deal(count);
        });
        combined.next();
        assertThat(told).containsExactly("reserved 1 to 1", "waited 30 ms");
    }

    // Callers that cancel

    @Test
    void who_cancels_leaves_its_place_to_those_behind() {
        Sequence combined = combined();
        List<CompletableFuture<Long>> drawn = draws(combined, 2);
        drawn.get(0).cancel(false);
        settle();
        assertThat(asked).containsExactly(1L);
        assertThat(drawn.get(1)).isCompletedWithValue(1L);
    }

    @Test
    void who_cancels_after_the_reservation_was_sent_loses_its_value() {
        Sequence combined = combined();
        List<CompletableFuture<Long>> drawn = new ArrayList<>();
        answers(count -> {
            drawn.get(0).cancel(false);
            return deal(count);
        });
        drawn.addAll(draws(combined, 2));
        settle();
        assertThat(drawn.get(1)).isCompletedWithValue(1L);
        assertThat(told).containsExactly("reserved 1 to 2", "lost 2 to 2");
    }

    @Test
    void who_cancels_after_its_value_has_arrived_loses_it() {
        Sequence combined = combined();
        CompletableFuture<Long> drawn = draw(combined);
        timing.run();
        drawn.cancel(false);
        settle();
        assertThat(told).containsExactly("reserved 1 to 1", "lost 1 to 1");
    }

    @Test
    void who_cancels_a_future_that_has_its_value_loses_nothing() {
        Sequence combined = combined();
        CompletableFuture<Long> drawn = draw(combined);
        settle();
        drawn.cancel(false);
        assertThat(drawn).isCompletedWithValue(1L);
        assertThat(told).containsExactly("reserved 1 to 1");
    }

    @Test
    void where_the_executor_takes_no_more_a_future_is_completed_by_whoever_has_its_value() {
        Sequence combined = combined();
        answers(count -> {
            timing.refusal = new RejectedExecutionException();
            return deal(count);
        });
        CompletableFuture<Long> drawn = draw(combined);
        timing.run();
        assertThat(drawn).isCompletedWithValue(1L);
    }

    // Waiting for returning callers

    @Test
    void a_reservation_waits_for_as_many_as_came_the_last_time() {
        Sequence combined = after(8_000_000, 3);
        List<CompletableFuture<Long>> drawn = draws(combined, 1);
        timing.tasks.add(() -> drawn.addAll(draws(combined, 1)));
        timing.tasks.add(() -> drawn.addAll(draws(combined, 1)));
        timing.tasks.add(() -> drawn.addAll(draws(combined, 1)));
        long began = timing.now();
        int news = timing.news;
        timing.run();
        assertThat(timing.now()).as("no longer than that").isEqualTo(began);
        assertThat(asked).containsExactly(3L, 3L);
        assertThat(timing.news - news)
                .as("the third caller wakes it, and its result is signalled")
                .isEqualTo(2);
    }

    @Test
    void it_waits_a_millisecond_at_most() {
        assertThat(lingers(after(20_000_000, 3))).isEqualTo(1_000_000);
    }

    @Test
    void it_waits_no_longer_than_nobody_comes_for_an_eighth_of_what_a_reservation_takes() {
        assertThat(lingers(after(4_000_000, 3))).isEqualTo(500_000);
    }

    @Test
    void it_waits_as_long_as_a_thread_may_take_to_have_its_turn() {
        assertThat(lingers(after(400_000, 3))).isEqualTo(100_000);
    }

    @Test
    void it_waits_no_longer_than_a_reservation_takes() {
        assertThat(lingers(after(50_000, 3))).isEqualTo(50_000);
    }

    @Test
    void it_does_not_wait_where_there_was_one_caller() {
        assertThat(lingers(after(4_000_000, 1))).isZero();
    }

    @Test
    void in_async_a_reservation_waits_for_no_other_caller() {
        Sequence async = async(new Store(), 1);
        answers(count -> {
            timing.passMillis(4);
            return deal(count);
        });
        draws(async, 3);
        long began = timing.now();
        settle();
        assertThat(asked).containsExactly(1L, 1L, 1L);
        assertThat(timing.now() - began).isEqualTo(4_000_000);
    }

    @Test
    void those_who_wait_for_the_next_were_around_too() {
        Sequence combined = combined();
        answers(count -> {
            draws(combined, 1);
            timing.passMillis(4);
            return deal(count);
        });
        draws(combined, 1);
        timing.run();
        assertThat(timing.now()).isEqualTo(new LoneTiming().now() + 4_000_000 + 500_000);
    }

    @Test
    void who_comes_now_and_then_is_waited_for_until_the_millisecond_is_over() {
        Sequence combined = after(4_000_000, 9);
        for (int i = 1; i < 5; i++) {
            timing.after(i * 400_000L, () -> draws(combined, 1));
        }
        assertThat(lingers(combined)).isEqualTo(1_000_000);
        assertThat(asked).endsWith(3L);
    }

    @Test
    void an_executors_thread_that_is_interrupted_waits_for_nobody_and_reserves() {
        Sequence combined = after(4_000_000, 3);
        CompletableFuture<Long> drawn = draw(combined);
        Thread.currentThread().interrupt();
        timing.run();
        assertThat(Thread.interrupted()).isTrue();
        settle();
        assertThat(drawn).isCompletedWithValue(4L);
    }

    /** Returns how long a reservation for one caller lingers, in nanoseconds. */
    private long lingers(Sequence combined) {
        draws(combined, 1);
        long began = timing.now();
        timing.run();
        return timing.now() - began;
    }

    /** Returns a sequence whose last reservation took this long and served this many callers. */
    private Sequence after(long nanos, int callers) {
        Sequence combined = combined();
        answers(count -> {
            timing.pass(nanos);
            return deal(count);
        });
        draws(combined, callers);
        settle();
        assertThat(asked).containsExactly((long) callers);
        return combined;
    }

    // Closing

    @Test
    void closing_turns_those_away_who_wait_and_those_who_come() {
        Sequence combined = combined();
        combined.next();
        CompletableFuture<Long> drawn = draw(combined);
        long began = timing.now();
        combined.close();
        settle();
        assertThat(timing.now())
                .as("ends as soon as no reservation is under way")
                .isEqualTo(began);
        assertThat(failure(drawn))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sequence 's' is closed; reopen it");
        assertThatThrownBy(combined::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sequence 's' is closed; reopen it");
        assertThat(failure(draw(combined))).isInstanceOf(IllegalStateException.class);
        assertThat(asked).hasSize(1);
        assertThat(closings).isEqualTo(1);
    }

    @Test
    void closing_waits_for_what_is_under_way_no_longer_than_the_patience() {
        Sequence combined = combined();
        CompletableFuture<Long> drawn = draw(combined);
        answers(count -> {
            long began = timing.now();
            combined.close();
            assertThat(timing.now() - began).isEqualTo(NANOS);
            return deal(count);
        });
        settle();
        assertThat(drawn).as("the values were for this caller").isCompletedWithValue(1L);
        assertThat(asked).hasSize(1);
    }

    @Test
    void closing_waits_until_the_losses_are_told() {
        Sequence combined = combined();
        answers(count -> deal(2));
        long[] waited = {0};
        hears = news -> {
            if (news.startsWith("lost")) {
                onAnotherThread(() -> {
                    long began = timing.now();
                    combined.close();
                    waited[0] = timing.now() - began;
                });
            }
        };
        assertThatThrownBy(() -> combined.next(5)).isInstanceOf(IllegalStateException.class);
        assertThat(waited[0])
                .as("the reservation that reports it is still under way")
                .isEqualTo(NANOS);
    }

    @Test
    void a_listener_that_closes_its_sequence_does_not_wait_for_the_reservation_that_calls_it() {
        Sequence combined = combined();
        answers(count -> deal(2));
        long[] waited = {-1};
        hears = news -> {
            if (news.startsWith("lost")) {
                long began = timing.now();
                combined.close();
                waited[0] = timing.now() - began;
            }
        };
        assertThatThrownBy(() -> combined.next(5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThat(waited[0]).isZero();
        assertThat(closings).isEqualTo(1);
    }

    @Test
    void a_listener_that_draws_from_its_sequence_is_refused_where_it_would_wait_for_itself() {
        Sequence combined = combined();
        answers(count -> deal(2));
        List<Throwable> heard = new ArrayList<>();
        hears = news -> {
            if (news.startsWith("lost")) {
                heard.add(catchThrowable(combined::next));
            }
        };
        assertThat(combined.next(5)).isEqualTo(new Block(3, 5, 1));
        assertThat(heard)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("its listener", "draws from it inside a callback");
        assertThat(asked).containsExactly(5L, 5L);
    }

    private static void onAnotherThread(Runnable work) {
        Thread other = new Thread(work);
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void what_was_to_be_fetched_ahead_is_not_asked_for_once_it_closes() {
        Sequence sequence = asyncBatch(10, 8);
        sequence.next();
        sequence.next(2);
        assertThat(timing.tasks).as("at the mark").hasSize(1);
        sequence.close();
        assertThat(timing.tasks).isEmpty();
        assertThat(asked).containsExactly(10L);
    }

    @Test
    void who_closes_while_interrupted_does_not_wait_and_stays_interrupted() {
        Sequence combined = combined();
        draws(combined, 1);
        Thread.currentThread().interrupt();
        long began = timing.now();
        combined.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(timing.now()).isEqualTo(began);
        assertThat(closings).isEqualTo(1);
    }

    @Test
    void a_block_that_arrives_after_closing_is_its_callers_and_the_rest_is_lost() {
        Sequence batch = batch(10);
        List<CompletableFuture<Long>> drawn = draws(batch, 1);
        answers(count -> {
            batch.close();
            return deal(count);
        });
        settle();
        assertThat(drawn.get(0).join()).isEqualTo(1);
        assertThat(told).filteredOn(beginsWith("lost")).containsExactly("lost 2 to 10");
    }

    @Test
    void who_does_not_fit_into_a_block_that_arrives_after_closing_is_turned_away() {
        Sequence batch = batch(10);
        answers(count -> {
            batch.close();
            return deal(4);
        });
        assertThatThrownBy(() -> batch.next(6))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThat(told).filteredOn(beginsWith("lost")).containsExactly("lost 1 to 4");
    }

    // A counter that went back

    @Test
    void a_counter_that_went_back_stops_the_sequence() {
        Sequence combined = combined();
        combined.next();
        List<CompletableFuture<Long>> beside = new ArrayList<>();
        answers(count -> {
            beside.add(draw(combined));
            counter = 0;
            return deal(count);
        });
        Throwable first = catchThrowable(combined::next);
        settle();
        assertThat(first).isInstanceOf(Regressed.class);
        assertThat(failure(beside.get(0))).isInstanceOf(Regressed.class).isNotSameAs(first);
        Throwable later = catchThrowable(combined::next);
        assertThat(later).isInstanceOf(Regressed.class).isNotSameAs(first).hasMessage(first.getMessage());
        assertThat(asked).containsExactly(1L, 1L);
    }

    @Test
    void a_counter_that_went_back_costs_what_is_in_hand() {
        Sequence sequence = asyncBatch(10, 4);
        sequence.next();
        sequence.next(6);
        counter = 0;
        settle();
        assertThatThrownBy(sequence::next).isInstanceOf(Regressed.class);
        assertThat(told).containsSubsequence("reserved 1 to 10", "lost 8 to 10");
        sequence.close();
        assertThat(told).filteredOn(beginsWith("lost")).hasSize(1);
    }

    @Test
    void a_block_that_arrives_after_the_counter_went_back_is_not_taken_in() {
        Sequence sequence = ahead();
        answers(count -> {
            Reservation good = deal(count);
            CompletableFuture<Long> beside = draw(sequence);
            answers(c -> new Reservation(new Block(1, c, 1), definition, 1));
            settle();
            assertThat(failure(beside)).isInstanceOf(Regressed.class);
            return good;
        });
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        assertThat(drawn).isCompletedWithValue(6L);
        assertThat(told).endsWith("lost 7 to 10");
        assertThatThrownBy(sequence::next).isInstanceOf(Regressed.class);
    }

    // Fixtures

    private Sequence combined() {
        return combined(new Store());
    }

    private Sequence batch(long size) {
        return blocks(new FixedSizing(size, FixedSizing.NO_MARK));
    }

    private Sequence asyncBatch(long size, long mark) {
        return blocks(new FixedSizing(size, mark));
    }

    private void fails(Sequence sequence) {
        answers(failing(down));
        assertThatThrownBy(sequence::next).isInstanceOf(Unavailable.class);
    }

    /** Checks that the store is called after this many milliseconds, and not a nanosecond earlier. */
    private void pauses(Sequence sequence, long millis) {
        int before = asked.size();
        CompletableFuture<Long> drawn = draw(sequence);
        timing.pass(TimeUnit.MILLISECONDS.toNanos(millis) - 1);
        settle();
        assertThat(asked).as("a nanosecond before %d ms", millis).hasSize(before);
        timing.pass(1);
        settle();
        assertThat(asked).as("after %d ms", millis).hasSize(before + 1);
        assertThat(drawn).isDone();
    }

    private void endsAt(long max) {
        definition = SequenceDefinition.named("s").maxValue(max).build();
    }

    private Reservation deal(long count) {
        long left = definition.max() - counter;
        if (left == 0) {
            throw new Exhausted(definition);
        }
        long wanted = count == SequenceStore.CACHE ? definition.cache() : count;
        Block block = new Block(counter + 1, Math.min(left, wanted), 1);
        counter = block.last();
        return new Reservation(block, definition, 1);
    }

    private Answer exhausted() {
        return failing(new Exhausted(definition));
    }

    private static Answer failing(Throwable failure) {
        return count -> {
            throw WaitingLineTest.<RuntimeException>unchecked(failure);
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** Sets the store's answers to the next calls; after them, it deals. */
    private void answers(Answer... first) {
        Deque<Answer> next = new ArrayDeque<>(List.of(first));
        answer = count -> (next.isEmpty() ? (Answer) this::deal : next.remove()).to(count);
    }

    private Sequence combined(SequenceStore store) {
        return LineSequence.combined(context(), reserver(store));
    }

    private Sequence async(SequenceStore store, int atATime) {
        return LineSequence.async(context(), reserver(store), atATime);
    }

    private Sequence blocks(Sizing sizing) {
        return new BlockSequence(context(), reserver(new Store()), sizing, false);
    }

    private Reserver reserver(SequenceStore store) {
        return new Reserver("s", store, new Listeners(new Telling()), timing);
    }

    private SequenceContext context() {
        Listeners listeners = new Listeners(new Telling());
        return new SequenceContext("s", listeners, task -> executor.execute(task), timing, patience, () -> closings++);
    }

    /** The store's answer to a reservation. */
    private interface Answer {
        Reservation to(long count);
    }

    private class Store implements SequenceStore, AwaitingStore {

        @Override
        public String toString() {
            return "the store";
        }

        @Override
        public Reservation reserve(String name, long count) {
            calls("reserve");
            asked.add(count);
            return answer.to(count);
        }

        @Override
        public Optional<String> awaits(Duration atLeast) {
            return awaited.isEmpty() ? Optional.empty() : Optional.of(awaited);
        }
    }

    private class Immediate extends Store implements ImmediateStore {
        @Override
        public Optional<Reservation> reserveNow(String name, long count) {
            return Optional.of(reserve(name, count));
        }
    }

    /** Blocks of five. */
    private static class Sizes implements Sizing {
        @Override
        public long size() {
            return 5;
        }

        @Override
        public long lowWaterMark() {
            return FixedSizing.NO_MARK;
        }

        @Override
        public int maxReservations() {
            return 1;
        }

        @Override
        public void sent(long now, long wanted) {}

        @Override
        public void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall) {}
    }

    /** Called with each event, which is then also in {@link #told}. */
    private Consumer<String> hears = news -> {};

    private final class Telling implements SequenceListener {
        private void tell(String news) {
            calls(news);
            told.add(news);
            hears.accept(news);
        }

        @Override
        public void reserved(String sequence, Block block, Duration took) {
            tell("reserved " + block.first() + " to " + block.last());
        }

        @Override
        public void waited(String sequence, Duration howLong) {
            tell("waited " + howLong.toMillis() + " ms");
        }

        @Override
        public void failed(String sequence, SequenceException failure) {
            tell("failed: " + failure.getMessage());
        }

        @Override
        public void lost(String sequence, Block values) {
            tell("lost " + values.first() + " to " + values.last());
        }

        @Override
        public void outcomeUnknown(String sequence, long count) {
            tell("unknown: " + count);
        }
    }
}
