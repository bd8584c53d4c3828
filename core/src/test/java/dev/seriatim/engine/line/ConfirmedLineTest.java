// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.SequenceException.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** CONFIRMED: when reserved values are dealt after a read, when they are lost, and how many are reserved ahead. */
@Timeout(60)
class ConfirmedLineTest extends LineGround {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    // Reserved values

    @Test
    void reserved_values_are_dealt_one_per_read_and_each_reservation_takes_more() {
        memory.create(SequenceDefinition.of("s"));
        Sequence sequence = confirmed(new Store(), false);
        List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            drawn.add(sequence.next());
        }
        assertThat(drawn).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
        assertThat(calls)
                .containsExactly(
                        "reserve 1",
                        "reserve 1",
                        "reserve 2",
                        "read",
                        "reserve 3",
                        "read",
                        "read",
                        "reserve 5",
                        "read",
                        "read",
                        "read",
                        "read");
    }

    @Test
    void reserved_values_are_counted() {
        LineSequence sequence = (LineSequence) holding();
        assertThat(sequence.inHand()).isEqualTo(4);
        sequence.next(4);
        assertThat(sequence.inHand()).isZero();
    }

    @Test
    void waiting_callers_share_one_read_in_order_of_arrival() {
        Sequence sequence = holding();
        List<CompletableFuture<Long>> drawn = draws(sequence, 3);
        settle();
        assertThat(drawn).extracting(CompletableFuture::join).containsExactly(9L, 10L, 11L);
        assertThat(calls).containsExactly("read");
    }

    @Test
    void a_caller_that_comes_after_a_read_was_sent_waits_for_the_next() {
        Sequence sequence = holding();
        List<CompletableFuture<Long>> late = new ArrayList<>();
        read = once(() -> {
            assertThat(memory.reserve("s", 1).block().first())
                    .as("another session")
                    .isEqualTo(13);
            late.add(draw(sequence));
        });
        CompletableFuture<Long> early = draw(sequence);
        settle();
        assertThat(early).isCompletedWithValue(9L);
        assertThat(late.get(0)).isCompletedWithValue(14L);
        assertThat(calls).containsExactly("read", "read", "reserve 1");
    }

    @Test
    void a_caller_that_cancels_during_a_read_leaves_its_value_to_the_next() {
        Sequence sequence = holding();
        List<CompletableFuture<Long>> drawn = new ArrayList<>();
        read = once(() -> drawn.get(0).cancel(false));
        drawn.addAll(draws(sequence, 2));
        settle();
        assertThat(drawn.get(1)).isCompletedWithValue(9L);
        assertThat(sequence.next()).isEqualTo(10);
        assertThat(events).isEmpty();
    }

    @Test
    void a_piece_is_dealt_from_reserved_values_and_those_reserved_behind_them() {
        Sequence sequence = holding();
        assertThat(sequence.next(6)).isEqualTo(new Block(9, 6, 1));
        assertThat(sequence.next()).isEqualTo(15);
        assertThat(calls).as("6, and 8 ahead, of which 4 are reserved").containsExactly("reserve 10", "read");
        assertThat(events).isEmpty();
    }

    @Test
    void a_piece_as_long_as_the_reserved_values_needs_no_reservation() {
        assertThat(holding().next(4)).isEqualTo(new Block(9, 4, 1));
        assertThat(calls).containsExactly("read");
    }

    // Other sessions

    @Test
    void once_another_session_has_reserved_the_values_are_lost_and_reported_once() {
        Sequence sequence = holding();
        memory.reserve("s", 1);
        assertThat(sequence.next()).isEqualTo(14);
        assertThat(sequence.next()).isEqualTo(15);
        sequence.close();
        assertThat(calls).containsExactly("read", "reserve 1", "reserve 1");
        assertThat(events).containsExactly("lost 9 to 12");
    }

    @Test
    void a_reservation_of_another_session_separates_a_piece_from_the_reserved_values() {
        Sequence sequence = holding();
        memory.reserve("s", 1);
        assertThat(sequence.next(6)).isEqualTo(new Block(14, 6, 1));
        assertThat(events).containsExactly("lost 9 to 12");
        assertThat(sequence.next()).isEqualTo(20);
    }

    @Test
    void a_block_that_another_session_gave_back_whole_was_never_dealt() {
        Sequence sequence = holding();
        memory.giveBack(
                "s", memory.reserve("s", 3).block(), memory.describe("s").epoch());
        assertThat(sequence.next()).isEqualTo(9);
    }

    @Test
    void a_restart_where_the_counter_stands_confirms_nothing_and_nothing_follows_on() {
        Sequence sequence = holding();
        memory.restart("s", 13);
        assertThat(sequence.next()).isEqualTo(13);
        assertThat(events).containsExactly("lost 9 to 12");
    }

    @Test
    void a_piece_reserved_after_a_restart_where_the_counter_stands_does_not_follow_on() {
        Sequence sequence = holding();
        memory.restart("s", 13);
        assertThat(sequence.next(6)).isEqualTo(new Block(13, 6, 1));
        assertThat(events).containsExactly("lost 9 to 12");
    }

    @Test
    void a_piece_reserved_under_a_changed_definition_does_not_follow_on() {
        Sequence sequence = holding();
        memory.alter("s", definition -> definition.toBuilder().maxValue(500L).build());
        assertThat(sequence.next(6)).isEqualTo(new Block(13, 6, 1));
        assertThat(events).containsExactly("lost 9 to 12");
    }

    @Test
    void a_counter_that_went_back_costs_the_reserved_values_and_stops_the_sequence() {
        Sequence sequence = holding();
        memory.giveBack("s", new Block(1, 12, 1), memory.describe("s").epoch()); // as in a restored backup
        assertThatThrownBy(() -> sequence.next(6)).isInstanceOf(Regressed.class);
        assertThatThrownBy(sequence::next).isInstanceOf(Regressed.class);
        assertThat(calls).containsExactly("reserve 10");
        assertThat(events).filteredOn(beginsWith("lost")).containsExactly("lost 9 to 12");
    }

    // The end of a sequence

    @Test
    void at_the_end_of_the_sequence_a_piece_is_the_reserved_values() {
        Sequence sequence = holding(SequenceDefinition.named("s").maxValue(12L).build());
        assertThat(sequence.next(5)).isEqualTo(new Block(9, 4, 1));
        assertThat(calls).containsExactly("read");
        assertThatThrownBy(sequence::next).isInstanceOf(Exhausted.class);
    }

    @Test
    void just_before_the_end_of_the_sequence_a_piece_is_the_reserved_values_and_the_rest() {
        Sequence sequence = holding(SequenceDefinition.named("s").maxValue(13L).build());
        assertThat(sequence.next(6)).isEqualTo(new Block(9, 5, 1));
        assertThat(calls).containsExactly("reserve 10");
    }

    @Test
    void at_the_end_of_the_sequence_the_last_caller_fails_with_exhausted() {
        Sequence sequence = holding(SequenceDefinition.named("s").maxValue(12L).build());
        List<CompletableFuture<Long>> drawn = draws(sequence, 5);
        settle();
        assertThat(drawn.get(3)).isCompletedWithValue(12L);
        assertThat(failure(drawn.get(4))).isInstanceOf(Exhausted.class);
    }

    @Test
    void reserved_values_at_the_end_of_a_cycle_are_dealt_before_the_next_begins() {
        Sequence sequence =
                holding(SequenceDefinition.named("s").maxValue(12L).cycle(true).build());
        assertThat(sequence.next(5)).isEqualTo(new Block(9, 4, 1));
        assertThat(sequence.next(3)).isEqualTo(new Block(1, 3, 1));
        assertThat(events).isEmpty();
    }

    // Reads that fail or hang

    @Test
    void a_read_that_fails_confirms_nothing_and_its_caller_draws_all_the_same() {
        Sequence sequence = holding();
        beforeRead = failing(down());
        assertThat(sequence.next()).isEqualTo(13);
        assertThat(calls).containsExactly("read", "reserve 1");
        assertThat(events).containsExactly("failed: " + down().getMessage(), "lost 9 to 12");
    }

    @Test
    void a_caller_that_waits_in_vain_for_a_connection_fails_with_the_reads_failure() {
        awaited = Optional.of("a connection");
        Overloaded none = new Overloaded("s", "no free connection", null);
        Throwable heard = afterReadAndReservationInVain(none);
        assertThat(heard)
                .isInstanceOf(Overloaded.class)
                .hasMessage(none.getMessage())
                .isNotSameAs(none);
    }

    @Test
    void a_read_that_found_no_connection_does_not_explain_a_reservation_that_hangs_in_the_store() {
        assertThat(afterReadAndReservationInVain(new Overloaded("s", "no free connection", null)))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no answer from the store within 400 ms");
    }

    /** Returns the failure of a caller whose read fails and whose reservation takes longer than the patience. */
    private @Nullable Throwable afterReadAndReservationInVain(Overloaded read) {
        Sequence sequence = holding();
        beforeRead = failing(read);
        reserved = once(() -> {
            timing.pass(NANOS);
            settle();
        });
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        return failure(drawn);
    }

    @Test
    void a_read_that_hangs_is_abandoned_and_its_answer_changes_nothing() {
        Sequence sequence = holding();
        List<CompletableFuture<Long>> later = new ArrayList<>();
        read = once(() -> {
            timing.pass(NANOS + 1);
            later.add(draw(sequence));
            settle();
            assertThat(later.get(0)).isCompletedWithValue(9L);
        });
        CompletableFuture<Long> hung = draw(sequence);
        settle();
        assertThat(failure(hung)).isInstanceOf(Unavailable.class).hasMessageContaining("no answer from the store");
        assertThat(sequence.next()).isEqualTo(10);
        assertThat(calls).containsExactly("read", "read", "read");
        assertThat(events).isEmpty();
    }

    @Test
    void a_late_reservation_loses_all_but_its_callers_values() {
        Sequence sequence = holding();
        sequence.next(4);
        List<CompletableFuture<Long>> later = new ArrayList<>();
        reserved = once(() -> {
            timing.pass(NANOS + 1);
            later.add(draw(sequence));
            settle();
        });
        CompletableFuture<Long> hung = draw(sequence);
        settle();
        assertThat(hung).isCompletedExceptionally();
        assertThat(later.get(0)).isCompletedWithValue(22L);
        assertThat(events).containsExactly("lost 13 to 21");
        assertThat(sequence.next()).isEqualTo(23);
    }

    @Test
    void a_caller_that_gives_up_while_a_read_finds_the_values_stale_has_nothing_reserved() {
        Sequence sequence = holding();
        List<CompletableFuture<Long>> drawn = new ArrayList<>();
        beforeRead = once(() -> {
            memory.reserve("s", 1);
            drawn.get(0).cancel(false);
        });
        drawn.add(draw(sequence));
        settle();
        assertThat(calls).containsExactly("read");
        assertThat(events).containsExactly("lost 9 to 12");
        assertThat(sequence.next()).as("nothing is under way").isEqualTo(14);
    }

    @Test
    void a_read_and_the_reservation_after_it_may_each_take_as_long_as_the_patience() {
        Sequence sequence = holding();
        List<CompletableFuture<Long>> later = new ArrayList<>();
        beforeRead = once(() -> {
            memory.reserve("s", 1);
            timing.pass(NANOS * 3 / 4);
        });
        reserved = once(() -> {
            timing.pass(NANOS * 3 / 4);
            later.add(draw(sequence));
            settle();
            assertThat(calls).as("it does not hang").containsExactly("read", "reserve 1");
        });
        CompletableFuture<Long> hung = draw(sequence);
        settle();
        assertThat(hung).isCompletedExceptionally();
        assertThat(later.get(0)).isCompletedWithValue(14L);
    }

    @Test
    void the_time_that_a_caller_has_read_counts_for_its_patience() {
        Sequence sequence = holding();
        readsHere = true;
        beforeRead = once(() -> {
            timing.pass(NANOS * 3 / 4);
            throw down();
        });
        executor = task -> {};
        long began = timing.now();
        assertThatThrownBy(sequence::next).isInstanceOf(Unavailable.class);
        assertThat(timing.now() - began).isEqualTo(NANOS);
    }

    @Test
    void a_confirmed_read_ends_the_pauses_after_failures() {
        Sequence sequence = holding();
        for (int i = 0; i < 2; i++) {
            beforeReservation = failing(down());
            assertThatThrownBy(() -> sequence.next(6)).isInstanceOf(Unavailable.class);
            long began = timing.now();
            assertThat(sequence.next()).isEqualTo(9 + i);
            assertThat(timing.now() - began).isEqualTo(10 * MILLI);
        }
        assertThat(calls).containsExactly("reserve 10", "read", "reserve 11", "read");
    }

    // Where the store is read

    @Test
    void a_caller_reads_on_its_own_thread_and_the_executor_has_nothing_to_do() {
        Sequence sequence = holding();
        readsHere = true;
        executor = UNUSED;
        assertThat(sequence.next()).isEqualTo(9);
        assertThat(calls).containsExactly("read here, 400 ms");
    }

    @Test
    void a_read_on_a_callers_thread_lasts_a_second_at_most() {
        patience = Duration.ofSeconds(3);
        Sequence sequence = holding();
        readsHere = true;
        sequence.next();
        assertThat(calls).containsExactly("read here, 1000 ms");
    }

    @Test
    void a_read_on_a_callers_thread_that_fails_is_left_to_the_executor_and_not_reported() {
        Sequence sequence = holding();
        readsHere = true;
        beforeRead = failing(down());
        assertThat(sequence.next()).isEqualTo(9);
        assertThat(calls).containsExactly("read here, 400 ms", "read");
        assertThat(events).isEmpty();
    }

    @Test
    void a_read_on_a_callers_thread_that_confirms_nothing_is_followed_by_a_reservation_on_the_executor() {
        Sequence sequence = holding();
        readsHere = true;
        memory.reserve("s", 1);
        int[] tasks = {0};
        executor = task -> {
            tasks[0]++;
            timing.execute(task);
        };
        assertThat(sequence.next()).isEqualTo(14);
        assertThat(tasks[0]).isEqualTo(1);
        assertThat(calls).containsExactly("read here, 400 ms", "reserve 1");
    }

    @Test
    void a_caller_that_comes_while_a_read_is_handed_to_the_executor_shares_it() {
        Sequence sequence = holding();
        List<CompletableFuture<Long>> meanwhile = new ArrayList<>();
        timing.tasks.add(() -> meanwhile.add(draw(sequence)));
        assertThat(sequence.next()).isEqualTo(9);
        settle();
        assertThat(meanwhile.get(0)).isCompletedWithValue(10L);
        assertThat(calls).containsExactly("read");
    }

    @Test
    void a_future_and_an_interrupted_caller_leave_the_read_to_the_executor() {
        Sequence sequence = holding();
        readsHere = true;
        CompletableFuture<Long> drawn = draw(sequence);
        assertThat(timing.tasks).hasSize(1);
        settle();
        assertThat(drawn).isCompletedWithValue(9L);
        Thread.currentThread().interrupt();
        assertThatThrownBy(sequence::next).isInstanceOf(Unavailable.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        settle();
        assertThat(calls).containsExactly("read");
        assertThat(sequence.next()).isEqualTo(10);
    }

    @Test
    void a_store_that_answers_at_once_is_read_and_asked_without_the_executor() {
        memory.create(SequenceDefinition.of("s"));
        readsHere = true;
        executor = UNUSED;
        Sequence sequence = holding(confirmed(new Immediate(), false), 8);
        assertThat(draw(sequence)).isCompletedWithValue(9L);
        memory.reserve("s", 1);
        assertThat(draw(sequence)).isCompletedWithValue(14L);
        assertThat(calls).containsExactly("read here, 0 ms", "read here, 0 ms", "reserve 1");
        assertThat(events).containsExactly("lost 10 to 12");
    }

    // Waiting for returning callers

    @Test
    void a_slow_read_waits_for_as_many_callers_as_the_last_one_served() {
        Sequence sequence = afterReadOf(8 * MILLI, 3);
        List<CompletableFuture<Long>> drawn = draws(sequence, 1);
        timing.tasks.add(() -> drawn.addAll(draws(sequence, 1)));
        timing.tasks.add(() -> drawn.addAll(draws(sequence, 1)));
        long began = timing.now();
        settle();
        assertThat(timing.now()).as("no longer than that").isEqualTo(began);
        assertThat(drawn).extracting(CompletableFuture::join).containsExactly(17L, 18L, 19L);
        assertThat(calls).containsExactly("read");
    }

    @Test
    void it_waits_until_no_caller_has_come_for_an_eighth_of_a_read() {
        assertThat(lingers(afterReadOf(4 * MILLI, 3))).isEqualTo(MILLI / 2);
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void it_waits_where_an_eighth_of_a_read_is_as_long_as_a_thread_may_take_to_have_its_turn() {
        assertThat(lingers(afterReadOf(800_000, 3))).isEqualTo(100_000);
    }

    @Test
    void a_quick_read_waits_for_no_caller() {
        assertThat(lingers(afterReadOf(799_999, 3))).isZero();
    }

    @Test
    void callers_that_waited_for_the_next_read_count_too() {
        Sequence sequence = holdingEight();
        read = once(() -> {
            timing.pass(4 * MILLI);
            draws(sequence, 1);
        });
        draws(sequence, 1);
        long began = timing.now();
        settle();
        assertThat(timing.now() - began).isEqualTo(4 * MILLI + MILLI / 2);
    }

    /** Returns a sequence that holds 14 to 21. */
    private Sequence holdingEight() {
        memory.create(SequenceDefinition.of("s"));
        return holding(confirmed(new Store(), false), 13);
    }

    /** Returns a sequence whose last read took this long and served this many callers, from 14. */
    private Sequence afterReadOf(long nanos, int callers) {
        Sequence sequence = holdingEight();
        read = once(() -> timing.pass(nanos));
        draws(sequence, callers);
        settle();
        assertThat(calls).containsExactly("read");
        calls.clear();
        return sequence;
    }

    /** Returns how long a read for one caller lingers, in nanoseconds. */
    private long lingers(Sequence sequence) {
        draws(sequence, 1);
        long began = timing.now();
        settle();
        assertThat(calls).containsExactly("read");
        return timing.now() - began;
    }

    // Whether reading saves time

    @Test
    void where_reads_saved_time_values_are_soon_reserved_ahead_again() {
        assertThat(afterLoss(10 * MILLI, MILLI, MILLI)).containsExactly("reserve 1", "reserve 1", "reserve 2", "read");
    }

    @Test
    void where_reads_took_longer_than_reservations_the_next_attempt_comes_later() {
        assertThat(afterLoss(10 * MILLI, 20 * MILLI, 20 * MILLI))
                .containsExactly("reserve 1", "reserve 1", "reserve 1", "reserve 2");
    }

    @Test
    void the_read_that_finds_the_values_stale_took_its_time_too() {
        assertThat(afterLoss(10 * MILLI, MILLI, 200 * MILLI))
                .containsExactly("reserve 1", "reserve 1", "reserve 1", "reserve 2");
    }

    /** Returns the calls for four draws after another session's and the read that shows it; calls of the store take this long. */
    private List<String> afterLoss(long reservation, long confirmingRead, long staleRead) {
        reserved = () -> timing.pass(reservation);
        read = () -> timing.pass(confirmingRead);
        Sequence sequence = holding();
        read = () -> timing.pass(staleRead);
        memory.reserve("s", 1);
        for (int i = 0; i < 4; i++) {
            sequence.next();
        }
        return calls.subList(1, calls.size());
    }

    // Closing

    @Test
    void closing_during_a_read_loses_the_reserved_values_and_fails_its_caller() {
        Sequence sequence = holding();
        read = once(sequence::close);
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        assertThat(failure(drawn)).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        assertThat(calls).containsExactly("read");
        assertThat(events).containsExactly("lost 9 to 12");
    }

    @Test
    void a_block_that_arrives_after_closing_is_its_callers_and_the_rest_is_lost() {
        Sequence sequence = holding();
        sequence.next(4);
        reserved = once(sequence::close);
        CompletableFuture<Long> drawn = draw(sequence);
        settle();
        assertThat(drawn).isCompletedWithValue(13L);
        assertThat(events).containsExactly("lost 14 to 21");
    }
}
