// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.Turn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which callers share a transaction, when a transaction begins or is abandoned, and which exception callers get that time out. */
@Timeout(60)
class GroupLineTest extends GroupGround {

    @Test
    void a_grouped_sequence_is_such_a_line() {
        GroupedSequence<Rows> sequence = new GroupLine<>(context(), store, start);
        assertThat(sequence.name()).isEqualTo("s");
        assertThat(sequence).hasToString("GROUPED 's'");
        assertThat(sequence.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
        sequence.close();
        assertThatThrownBy(() -> sequence.commit(this::stored)).hasMessage(CLOSED);
    }

    // Who shares a transaction

    @Test
    void those_who_come_while_a_transaction_is_begun_share_it_in_their_order_and_its_commit() {
        Caller first = caller();
        Caller second = caller();
        Caller third = caller();
        assertThat(log).as("the caller's thread does not wait for the store").isEmpty();
        assertThat(timing.tasks).hasSize(1);
        timing.run();
        assertThat(called(first, second, third)).containsExactly(first);
        first.goes();
        assertThat(called(first, second, third)).containsExactly(second);
        second.goes();
        third.goes();
        assertThat(log).containsExactly("begin");
        assertThat(committed(first, second, third)).isEmpty();
        timing.run();
        assertThat(log).containsExactly("begin", "commit [1, 2, 3]");
        assertThat(List.of(first.gets(), second.gets(), third.gets())).containsExactly(1L, 2L, 3L);
        assertThat(timing.tasks).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void who_is_called_and_who_is_committed_is_woken() {
        Caller first = caller();
        Caller second = caller();
        timing.run();
        assertThat(timing.woken).isEqualTo(1);
        first.goes();
        assertThat(timing.woken).isEqualTo(2);
        second.goes();
        assertThat(timing.woken).isEqualTo(2);
        timing.run();
        assertThat(timing.woken).isEqualTo(4);
    }

    @Test
    void a_caller_gets_what_its_unit_returned_when_it_is_committed() {
        assertThat(line.<Long, RuntimeException>commit(turn -> turn.next() + turn.next()))
                .isEqualTo(3);
        assertThat(line.<Long, RuntimeException>commit(Turn::next)).isEqualTo(3);
        assertThat(store.counter.nextValue()).isEqualTo(4);
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void a_unit_that_draws_nothing_is_committed_too() {
        assertThat(line.<Long, RuntimeException>commit(turn -> 7L)).isEqualTo(7);
        assertThat(log).containsExactly("begin", "commit []");
        assertThat(store.counter.nextValue()).isEqualTo(1);
    }

    @Test
    void those_who_come_while_a_transaction_is_committed_share_the_next() {
        Caller first = caller();
        timing.run();
        first.goes();
        Caller second = caller();
        assertThat(timing.tasks).as("only the commit").hasSize(1);
        timing.run();
        assertThat(timing.tasks).as("the next one begins immediately").hasSize(1);
        play(second);
        assertThat(second.gets()).isEqualTo(2);
        assertThat(log).containsExactly("begin", "commit [1]", "begin", "commit [2]");
    }

    @Test
    void a_transaction_takes_in_128_units() {
        List<Caller> callers = IntStream.range(0, 130).mapToObj(i -> caller()).toList();
        play(callers.toArray(Caller[]::new));
        assertThat(log.get(1)).startsWith("commit").endsWith(", 128]");
        assertThat(log.get(3)).isEqualTo("commit [129, 130]");
    }

    @Test
    void a_transaction_takes_in_callers_for_a_tenth_of_a_second_from_the_end_of_the_first_unit() {
        staysOpenFor(100 * MILLI);
        patience(Duration.ofSeconds(10));
        staysOpenFor(100 * MILLI);
    }

    @Test
    void a_transaction_takes_in_callers_for_no_longer_than_a_quarter_of_their_patience() {
        patience(Duration.ofMillis(40));
        staysOpenFor(10 * MILLI);
    }

    private void staysOpenFor(long nanos) {
        Caller first = caller(turn -> {
            timing.pass(nanos); // the first may take its time
            return stored(turn);
        });
        Caller second = caller(turn -> {
            timing.pass(nanos - 1);
            return stored(turn);
        });
        timing.run();
        first.goes();
        second.goes();
        Caller third = caller();
        assertThat(timing.tasks)
                .as("a nanosecond earlier, but no caller waited")
                .hasSize(1);
        timing.run();
        play(third);
        Caller next = caller();
        Caller slow = caller(turn -> {
            timing.pass(nanos - 1);
            return stored(turn);
        });
        Caller inTime = caller(turn -> {
            timing.pass(1);
            return stored(turn);
        });
        Caller late = caller();
        timing.run();
        next.goes();
        slow.goes();
        assertThat(called(inTime)).as("a nanosecond before").containsExactly(inTime);
        inTime.goes();
        assertThat(called(late)).as("after %d ms", nanos / MILLI).isEmpty();
        play(next, slow, inTime, late);
    }

    @Test
    void a_transaction_that_nobody_wants_any_more_is_rolled_back() {
        Caller gone = caller();
        interrupted(gone);
        timing.run();
        timing.run();
        assertThat(log).containsExactly("begin", "roll back");
        assertThat(timing.tasks).isEmpty();
        assertThat(line.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
    }

    @Test
    void a_unit_sees_the_numbers_and_the_rows_of_those_before_it_and_no_more_when_it_has_returned() {
        List<Turn<Rows>> turns = new ArrayList<>();
        Caller first = caller(turn -> {
            turns.add(turn);
            return stored(turn);
        });
        Caller second = caller(turn -> {
            assertThat(turn.transaction().numbers).containsExactly(1L);
            return stored(turn);
        });
        timing.run();
        first.goes();
        assertThatThrownBy(() -> turns.get(0).next()).isInstanceOf(IllegalStateException.class);
        second.goes();
        timing.run();
        assertThat(second.gets()).isEqualTo(2);
    }

    @Test
    void a_unit_inside_a_unit_of_the_sequence_is_refused() {
        assertThatThrownBy(() -> line.<Long, RuntimeException>commit(turn -> line.commit(this::stored)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "sequence 's': a unit of work of this sequence runs on this thread, and a second one inside it"
                                + " would wait forever; draw with the turn that the unit was given");
        assertThat(line.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
    }

    @Test
    void a_unit_inside_one_that_was_abandoned_is_refused_too() {
        Caller left = caller(turn -> line.commit(this::stored));
        timing.run();
        left.takes();
        timing.pass(HALF + 1);
        Caller next = caller();
        left.worksHere();
        left.ends();
        assertThat(left.thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("would wait forever");
        play(next);
        assertThat(next.gets()).isEqualTo(1);
    }

    // On the caller's thread

    @Test
    void where_the_store_allows_it_a_caller_begins_and_commits_on_its_own_thread() {
        store.here = true;
        Caller caller = caller();
        assertThat(called(caller)).containsExactly(caller);
        timing.passMillis(150);
        caller.goes();
        assertThat(log).containsExactly("begin here", "commit here [1]");
        assertThat(store.limits).containsExactly(PATIENCE.dividedBy(4), Duration.ofMillis(250));
        assertThat(caller.gets()).isEqualTo(1);
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void a_caller_commits_on_its_own_thread_if_half_of_its_patience_is_left_and_not_with_less() {
        store.here = true;
        Caller caller = caller();
        timing.pass(HALF);
        caller.goes();
        assertThat(log).endsWith("commit here [1]");
        Caller late = caller();
        timing.pass(HALF + 1);
        late.goes();
        assertThat(log).endsWith("begin here");
        timing.run();
        assertThat(log).endsWith("commit [2]");
    }

    @Test
    void the_thread_of_a_caller_that_passes_its_turn_on_does_not_commit() {
        store.here = true;
        Caller first = caller(turn -> {
            timing.pass(PATIENCE.toNanos());
            return stored(turn);
        });
        Caller late = caller();
        first.goes();
        late.goes();
        assertThat(log).containsExactly("begin here");
        timing.run();
        assertThat(log).endsWith("commit [1]");
        assertThat(first.gets()).isEqualTo(1);
    }

    @Test
    void the_thread_of_an_interrupted_caller_does_not_call_the_store() {
        store.here = true;
        Thread.currentThread().interrupt();
        Caller caller = caller(turn -> {
            Thread.currentThread().interrupt();
            return stored(turn);
        });
        assertThat(Thread.interrupted()).isTrue();
        timing.run();
        caller.goes();
        assertThat(Thread.interrupted()).isTrue();
        timing.run();
        assertThat(log).containsExactly("begin", "commit [1]");
        assertThat(caller.gets()).isEqualTo(1);
    }

    @Test
    void a_beginning_that_failed_on_the_callers_thread_has_half_of_the_patience_for_the_next_attempt() {
        store.here = true;
        store.beginningHere = () -> {
            timing.pass(HALF);
            throw down;
        };
        caller();
        store.here = false;
        hang();
        timing.pass(HALF);
        caller();
        assertThat(timing.tasks).as("after half of it").isEmpty();
        timing.pass(1);
        caller();
        assertThat(timing.tasks).hasSize(1);
        assertThat(told).isEmpty();
    }

    @Test
    void a_transaction_that_a_caller_began_without_its_counter_is_rolled_back_and_another_one_begins() {
        store.here = true;
        store.counting = once(down);
        Caller caller = caller();
        assertThat(log).containsExactly("begin here", "roll back");
        timing.run();
        caller.goes();
        assertThat(log).endsWith("roll back", "begin", "commit here [1]");
        assertThat(told).isEmpty();
    }

    @Test
    void a_commit_that_failed_on_the_callers_thread_is_reported_on_another() {
        store.here = true;
        CommitOutcomeUnknown lost = new CommitOutcomeUnknown("s", null);
        store.committing = failing(lost);
        Caller caller = caller();
        caller.goes();
        assertThat(told).isEmpty();
        timing.run();
        assertThat(timing.tasks).as("it is not sent again").isEmpty();
        assertThat(log).containsExactly("begin here", "commit here [1]");
        assertThat(told).containsExactly("failed: " + lost.getMessage());
        assertThat(caller.has(Member.Place.FAILED)).isTrue();
    }

    // What runs before each unit

    @Test
    void what_a_unit_must_start_with_is_done_before_each() {
        start = rows -> rows.numbers.add(-1L);
        line = line();
        Caller first = caller();
        Caller second = caller();
        play(first, second);
        assertThat(log).containsExactly("begin", "commit [-1, 1, -1, 2]");
    }

    @Test
    void who_is_interrupted_before_its_unit_begins_hears_that_and_stays_interrupted() {
        start = rows -> {
            throw new InterruptedException();
        };
        line = line();
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': interrupted before its unit of work began, nothing was committed")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(log).containsExactly("begin", "roll back");
        start = rows -> {};
        line = line();
        assertThat(line.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
    }

    @Test
    void who_cannot_be_started_hears_why_as_if_its_unit_had_thrown() {
        start = rows -> {
            throw new IOException("no tenant");
        };
        line = line();
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("sequence 's': its UnitStart threw java.io.IOException: no tenant, nothing was"
                        + " committed; see the cause")
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(log).containsExactly("begin", "roll back");
        RuntimeException own = new IllegalArgumentException("no tenant");
        start = rows -> {
            throw own;
        };
        line = line();
        assertThatThrownBy(() -> line.commit(this::stored)).isSameAs(own);
    }

    @Test
    void a_conflict_before_a_unit_is_one_in_it() {
        List<String> runs = new ArrayList<>();
        start = rows -> {
            runs.add("start");
            if (runs.size() == 1) {
                throw new Conflict();
            }
        };
        line = line();
        assertThat(line.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
        assertThat(log).containsExactly("begin", "roll back", "begin", "commit [1]");
    }

    // Abandoning what hangs

    @Test
    void a_beginning_is_abandoned_by_who_comes_after_more_than_half_of_the_patience() {
        Caller first = caller();
        Runnable hanging = hang();
        timing.pass(HALF);
        Caller second = caller();
        assertThat(timing.tasks).as("after half of it").isEmpty();
        timing.pass(1);
        Caller third = caller();
        assertThat(timing.tasks).hasSize(1);
        play(first, second, third);
        hanging.run();
        timing.run();
        assertThat(log).containsExactly("begin", "commit [1, 2, 3]", "begin", "roll back");
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void a_beginning_is_abandoned_by_those_who_wait_too() {
        Caller first = caller();
        hang();
        long began = timing.now();
        assertThat(line.called(first.member)).isTrue();
        assertThat(timing.now() - began).isEqualTo(HALF + PATIENCE.toNanos() / 8);
        assertThat(log).containsExactly("answers?", "begin");
    }

    @Test
    void a_transaction_that_is_begun_too_late_takes_in_nobody() {
        Caller first = caller();
        Runnable hanging = hang();
        timing.pass(HALF + 1);
        Caller second = caller();
        hanging.run();
        assertThat(called(first, second)).isEmpty();
        timing.tasks.removeLast().run();
        assertThat(log).containsExactly("begin", "roll back");
        timing.run();
        assertThat(called(first, second)).containsExactly(first);
    }

    @Test
    void no_more_than_three_are_abandoned_until_one_of_them_ends() {
        List<Runnable> hanging = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            caller();
            assertThat(timing.tasks).hasSize(1);
            hanging.add(hang());
            timing.pass(HALF + 1);
        }
        caller();
        assertThat(timing.tasks).isEmpty();
        hanging.get(0).run();
        timing.run();
        assertThat(log).containsExactly("begin", "roll back");
        assertThat(timing.tasks).as("another one begins").hasSize(1);
    }

    @Test
    void behind_a_transaction_of_our_own_that_holds_the_lock_one_is_enough_to_wait_for_it() {
        Caller slow = caller();
        timing.run();
        slow.takes();
        timing.pass(HALF + 1);
        Caller second = caller();
        hang();
        timing.pass(HALF + 1);
        Caller third = caller();
        assertThat(timing.tasks).isEmpty();
        slow.ends();
        assertThat(called(second, third))
                .as("another one is beginning for the caller")
                .isEmpty();
        timing.run();
        assertThat(slow.gets()).isEqualTo(1);
        assertThat(log).containsExactly("begin", "commit [1]");
        assertThat(timing.tasks)
                .as("abandoned now that no transaction of this process holds the lock")
                .hasSize(1);
    }

    @Test
    void a_unit_that_takes_its_time_is_abandoned_by_who_comes_anew_and_by_nobody_else() {
        Caller slow = caller();
        Caller second = caller();
        timing.run();
        slow.takes();
        assertThat(second.hears()).isInstanceOf(Overloaded.class).hasMessage(NO_TURN);
        assertThat(log).containsExactly("begin");
        assertThat(timing.tasks).isEmpty();
        caller();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void each_step_by_itself_may_take_half_of_the_patience() {
        Caller first = caller();
        timing.passMillis(150);
        Caller second = caller();
        assertThat(timing.tasks).hasSize(1);
        timing.run();
        timing.passMillis(150);
        nobodyIsLeftBehind();
        first.takes();
        timing.passMillis(150);
        nobodyIsLeftBehind();
        first.ends();
        assertThat(called(second)).containsExactly(second);
        timing.passMillis(90);
        nobodyIsLeftBehind();
    }

    private void nobodyIsLeftBehind() {
        caller();
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void who_does_not_take_its_turn_is_abandoned() {
        Caller called = caller();
        timing.pass(HALF);
        timing.run();
        assertThat(called(called)).containsExactly(called);
        leftBehindAfterHalf();
    }

    @Test
    void a_commit_that_hangs_is_abandoned() {
        Caller first = caller(turn -> {
            timing.pass(HALF);
            return stored(turn);
        });
        timing.run();
        first.goes();
        hang();
        leftBehindAfterHalf();
    }

    @Test
    void a_rollback_that_hangs_is_abandoned() {
        Caller first = caller(turn -> {
            timing.pass(HALF);
            throw new Conflict();
        });
        timing.run();
        first.goes();
        hang();
        timing.pass(HALF);
        caller();
        assertThat(timing.tasks).as("after half of the patience").isEmpty();
        timing.pass(1);
        caller();
        assertThat(timing.tasks).hasSize(1);
    }

    private void leftBehindAfterHalf() {
        timing.pass(HALF);
        Caller second = caller();
        assertThat(timing.tasks).as("after half of the patience").isEmpty();
        timing.pass(1);
        Caller third = caller();
        assertThat(timing.tasks).hasSize(1);
        timing.run();
        assertThat(called(second, third)).containsExactly(second);
    }

    @Test
    void the_failure_of_a_beginning_that_was_abandoned_is_not_that_of_those_who_wait() {
        Caller first = caller();
        Runnable hanging = hang();
        timing.pass(HALF + 1);
        Caller second = caller();
        store.beginning = failing(down);
        hanging.run();
        store.beginning = Groups.NOTHING;
        assertThat(told).containsExactly("failed: " + down.getMessage());
        play(first, second);
        assertThat(second.gets()).isEqualTo(2);
    }

    @Test
    void what_was_abandoned_is_committed_all_the_same() {
        Caller slow = caller();
        Caller second = caller();
        timing.run();
        slow.takes();
        timing.pass(HALF + 1);
        Caller third = caller();
        Runnable begins = hang();
        slow.ends();
        timing.run();
        assertThat(slow.gets()).isEqualTo(1);
        begins.run();
        play(second, third);
        assertThat(List.of(second.gets(), third.gets())).containsExactly(2L, 3L);
    }

    // Turns

    @Test
    void whose_patience_is_over_when_it_is_called_passes_the_turn_on() {
        Caller late = caller();
        timing.pass(1);
        Caller second = caller();
        timing.pass(PATIENCE.toNanos() - 1);
        timing.run();
        assertThat(called(late, second)).containsExactly(late);
        late.goes();
        assertThat(called(late, second)).containsExactly(second);
        assertThat(late.hears()).isInstanceOf(Unavailable.class).hasMessageContaining("within 400 ms");
        second.goes();
        timing.run();
        assertThat(log).containsExactly("begin", "commit [1]");
    }

    @Test
    void who_is_interrupted_when_it_is_called_passes_the_turn_on_and_stays_interrupted() {
        Caller gone = caller();
        Caller second = caller();
        timing.run();
        Thread.currentThread().interrupt();
        gone.goes();
        assertThat(gone.hears()).isInstanceOf(Unavailable.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        play(second);
        assertThat(second.gets()).isEqualTo(1);
    }

    @Test
    void a_caller_who_is_interrupted_in_line_hears_that_and_stays_interrupted() {
        Caller gone = caller();
        Thread.currentThread().interrupt();
        long began = timing.now();
        assertThat(gone.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': interrupted while waiting for a turn; nothing was committed")
                .hasRootCauseInstanceOf(InterruptedException.class)
                .hasRootCauseMessage("the caller was interrupted");
        assertThat(timing.now()).isEqualTo(began);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(line.waiting).isEmpty();
    }

    // What callers waited for

    @Test
    void who_waits_in_vain_hears_that_the_store_does_not_answer() {
        executor = task -> {};
        Caller caller = caller();
        long began = timing.now();
        assertThat(caller.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage(NO_ANSWER)
                .cause()
                .hasNoCause();
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos());
        assertThat(line.waiting).isEmpty();
    }

    @Test
    void who_waits_in_vain_hears_what_failed_before_unless_there_was_a_commit_since() {
        store.beginning = failing(down);
        caller();
        timing.run();
        Caller caller = caller();
        timing.pass(FAILURE_PAUSE);
        timing.run();
        assertThat(hearsThatTheBeginningHangs(caller))
                .isInstanceOf(Unavailable.class)
                .hasMessage(NO_ANSWER)
                .hasRootCause(down);
        store.beginning = Groups.NOTHING;
        play(caller());
        assertThat(hearsThatTheBeginningHangs(caller()))
                .hasMessage(NO_ANSWER)
                .cause()
                .hasNoCause();
    }

    @Test
    void who_waits_in_vain_hears_what_the_store_waits_for() {
        store.awaited = "a connection of the pool";
        Caller caller = caller();
        hang();
        looksAfter(caller, HALF / 2);
        assertThat(timing.tasks).as("asking would wait for the same thing").isEmpty();
        timing.pass(PATIENCE.toNanos());
        assertThat(caller.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': nothing was committed, waited 400 ms for a connection of the pool");
        assertThat(store.awaitedFor).containsExactly(Duration.ZERO, PATIENCE.dividedBy(2));
    }

    @Test
    void a_caller_inside_a_unit_of_another_sequence_gets_the_name_of_that_sequence() {
        assertThat(timesOutInsideAUnit())
                .isInstanceOf(Overloaded.class)
                .hasMessage("sequence 'inner': no turn within 400 ms, nothing was committed; this thread holds the turn"
                        + " of sequence 's', and units of two sequences deadlock if nested in"
                        + " different orders: nest them in the same order everywhere");
        store.awaited = "a connection of the pool";
        assertThat(timesOutInsideAUnit())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 'inner': nothing was committed, waited 400 ms for a connection of the pool");
    }

    private Throwable timesOutInsideAUnit() {
        GroupLine<Rows> inner = new GroupLine<>(context("inner"), store, start);
        return line.commit(turn -> {
            executor = task -> {}; // nothing begins
            Throwable thrown = catchThrowable(() -> inner.commit(this::stored));
            executor = timing;
            return thrown;
        });
    }

    @Test
    void whether_the_store_answers_is_asked_once_after_a_quarter_of_the_patience() {
        Caller caller = caller();
        hang();
        looksAfter(caller, HALF / 2 - 1);
        assertThat(timing.tasks).isEmpty();
        looksAfter(caller, 1);
        assertThat(timing.tasks).hasSize(1);
        runs();
        assertThat(log).containsExactly("answers?");
        looksAfter(caller, 1);
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void nobody_asks_whether_the_store_answers_while_it_commits() {
        Caller first = caller();
        timing.run();
        first.goes();
        hang();
        Caller second = caller();
        looksAfter(second, HALF / 2);
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void a_store_that_answers_while_a_beginning_waits_has_its_counter_locked() {
        Caller caller = caller();
        hang();
        answers(caller);
        assertThat(hearsAtTheEnd(caller)).isInstanceOf(Overloaded.class).hasMessage(NO_LOCK);
    }

    @Test
    void a_store_that_does_not_answer_or_fails_to_say_so_has_nothing_locked() {
        Caller first = caller();
        hang();
        looksAfter(first, HALF / 2);
        timing.run();
        assertThat(hearsAtTheEnd(first)).hasMessage(NO_ANSWER);
        Caller second = caller();
        hang();
        store.answers = true;
        store.answering = failing(new Unshowable());
        looksAfter(second, HALF / 2);
        timing.run();
        assertThat(hearsAtTheEnd(second)).hasMessage(NO_ANSWER);
        assertThat(log).containsExactly("answers?", "answers?");
    }

    @Test
    void where_no_thread_can_be_had_to_ask_nothing_is_known() {
        Caller caller = caller();
        hang();
        store.answers = true;
        timing.refusal = new RejectedExecutionException("full");
        looksAfter(caller, HALF / 2);
        assertThat(hearsAtTheEnd(caller)).hasMessage(NO_ANSWER);
        assertThat(log).isEmpty();
    }

    @Test
    void a_counter_that_was_locked_is_not_any_more_when_a_transaction_has_begun() {
        Caller first = caller();
        Runnable begin = hang();
        answers(first);
        begin.run();
        play(first);
        assertThat(hearsThatTheBeginningHangs(caller())).hasMessage(NO_ANSWER);
    }

    @Test
    void a_counter_that_was_locked_may_not_be_any_more_when_a_beginning_has_failed() {
        Caller first = caller();
        Runnable begin = hang();
        answers(first);
        store.beginning = failing(down);
        begin.run();
        assertThat(first.hears()).isInstanceOf(Unavailable.class);
        timing.pass(FAILURE_PAUSE);
        assertThat(hearsThatTheBeginningHangs(caller()))
                .isInstanceOf(Unavailable.class)
                .hasMessage(NO_ANSWER);
    }

    @Test
    void an_answer_that_comes_when_the_transaction_has_begun_says_nothing_about_the_next() {
        Caller first = caller();
        Runnable begin = hang();
        store.answers = true;
        looksAfter(first, HALF / 2);
        Runnable asking = hang();
        begin.run();
        asking.run();
        play(first);
        assertThat(hearsThatTheBeginningHangs(caller())).hasMessage(NO_ANSWER);
    }

    @Test
    void a_store_that_fails_to_say_what_it_waits_for_is_asked_whether_it_answers() {
        store.awaiting = failing(new IllegalStateException("a failure of the driver"));
        Caller caller = caller();
        hang();
        answers(caller);
        assertThat(hearsAtTheEnd(caller)).isInstanceOf(Overloaded.class).hasMessage(NO_LOCK);
        assertThat(line.waiting).isEmpty();
    }

    @Test
    void who_was_passed_by_a_commit_has_had_no_turn() {
        Caller first = caller();
        timing.run();
        first.goes();
        Caller second = caller();
        timing.run();
        assertThat(hearsThatTheBeginningHangs(second))
                .isInstanceOf(Overloaded.class)
                .hasMessage(NO_TURN)
                .cause()
                .hasNoCause();
    }

    @Test
    void who_has_lost_its_group_to_a_conflict_has_had_no_turn_since() {
        store.committing = once(locked);
        Caller first = caller();
        Caller second = caller();
        timing.run();
        first.goes();
        second.goes();
        timing.run();
        timing.pass(CONFLICT_PAUSE);
        timing.run();
        assertThat(hearsThatTheBeginningHangs(first))
                .isInstanceOf(Overloaded.class)
                .hasMessage(NO_TURN)
                .hasRootCause(locked);
    }

    @Test
    void a_conflict_before_a_caller_came_does_not_mean_that_the_store_answers() {
        store.committing = once(locked);
        Caller gone = caller();
        timing.run();
        gone.goes();
        timing.run();
        interrupted(gone);
        timing.passMillis(1);
        runs();
        assertThat(hearsThatTheBeginningHangs(caller()))
                .isInstanceOf(Unavailable.class)
                .hasMessage(NO_ANSWER);
    }

    @Test
    void where_others_are_in_the_way_for_the_whole_patience_that_is_what_callers_hear() {
        store.beginning = failing(locked);
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Overloaded.class)
                .hasMessage("sequence 's': no transaction could be begun within 400 ms, nothing was committed; the last"
                        + " attempt: " + locked.getMessage())
                .hasRootCause(locked);
    }

    @Test
    void where_a_transaction_has_begun_what_was_in_the_way_of_one_that_was_abandoned_is_not_why_others_wait() {
        Caller first = caller();
        Runnable hanging = hang();
        timing.pass(HALF + 1);
        Caller second = caller();
        timing.run();
        first.goes();
        second.goes();
        hang(); // the commit
        Caller third = caller();
        store.beginning = failing(locked);
        hanging.run();
        assertThat(hearsAtTheEnd(third)).isInstanceOf(Overloaded.class).hasMessage(NO_TURN);
    }

    @Test
    void who_comes_and_goes_in_a_pause_hears_of_the_last_attempt() {
        patience(Duration.ofMillis(4));
        store.beginning = failing(locked);
        Caller first = caller();
        for (int i = 0; i < 5; i++) {
            runs();
            timing.pass(CONFLICT_PAUSE << i);
        }
        runs();
        interrupted(first);
        Caller second = caller();
        assertThat(hearsAtTheEnd(second)).isInstanceOf(Overloaded.class).hasMessageContaining("the last attempt");
    }

    @Test
    void an_attempt_before_a_caller_came_is_not_what_it_hears_of() {
        store.beginning = failing(locked);
        Caller gone = caller();
        timing.run();
        interrupted(gone);
        timing.passMillis(1);
        runs();
        assertThat(hearsThatTheBeginningHangs(caller()))
                .isInstanceOf(Unavailable.class)
                .hasMessage(NO_ANSWER);
    }

    @Test
    void who_comes_and_goes_in_the_pause_after_a_failure_does_not_hear_of_an_attempt_before_that() {
        patience(Duration.ofMillis(4));
        store.beginning = failing(locked);
        caller();
        timing.run();
        store.beginning = failing(down);
        timing.pass(CONFLICT_PAUSE);
        runs();
        assertThat(hearsAtTheEnd(caller()))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no answer from the store within 4 ms")
                .hasRootCause(down);
    }

    /** The store is asked whether it answers, and it does. */
    private void answers(Caller waiting) {
        store.answers = true;
        looksAfter(waiting, HALF / 2);
        timing.run();
        assertThat(log).endsWith("answers?");
    }

    private Throwable hearsThatTheBeginningHangs(Caller caller) {
        hang();
        return hearsAtTheEnd(caller);
    }

    // Patience

    @Test
    void what_its_own_unit_takes_is_not_waiting() {
        Caller caller = caller(turn -> {
            timing.passMillis(10_000);
            return stored(turn);
        });
        long began = timing.now();
        timing.run();
        caller.goes();
        hang();
        assertThat(caller.hears()).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos() + 10_000 * MILLI);
    }

    @Test
    void what_its_own_unit_takes_in_a_repetition_that_others_have_caused_is_not_waiting_twice() {
        long began = timing.now();
        Caller again = caller(turn -> {
            timing.passMillis(150);
            return stored(turn);
        });
        runs();
        for (int i = 0; i < 3; i++) {
            again.takes();
            Caller other = caller(conflicting(1));
            again.ends();
            other.goes();
            timing.run();
            interrupted(other);
            timing.pass(CONFLICT_PAUSE << i);
            runs();
        }
        again.goes();
        hang();
        assertThat(again.hears()).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos() + 3 * 150 * MILLI);
    }

    @Test
    void what_its_own_unit_takes_in_a_repetition_that_it_has_caused_is_waiting() {
        long began = timing.now();
        List<String> runs = new ArrayList<>();
        assertThatThrownBy(() -> line.commit(turn -> {
                    runs.add("run");
                    timing.passMillis(150);
                    throw new Conflict();
                }))
                .isInstanceOf(Overloaded.class);
        assertThat(runs).hasSize(4);
        assertThat(timing.now() - began).isBetween(600 * MILLI, 610 * MILLI);
    }

    // Closing

    @Test
    void closing_turns_away_who_has_not_run_and_serves_the_others() {
        Caller worked = caller();
        Caller working = caller();
        Caller waiting = caller();
        timing.run();
        worked.goes();
        working.takes();
        int woken = timing.woken;
        timing.tasks.add(() -> {
            assertThat(timing.woken - woken).isEqualTo(1);
            int news = timing.news;
            working.ends();
            assertThat(timing.news).as("the closing thread checks again").isGreaterThan(news);
        });
        line.close();
        assertThat(waiting.hears()).isInstanceOf(IllegalStateException.class).hasMessage(CLOSED);
        assertThat(List.of(worked.gets(), working.gets())).containsExactly(1L, 2L);
        assertThat(log).containsExactly("begin", "commit [1, 2]");
        assertThatThrownBy(this::caller)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(CLOSED);
        assertThat(closings).isEqualTo(1);
        line.close();
        assertThat(closings).isEqualTo(1);
    }

    @Test
    void closing_does_not_turn_away_who_is_to_run_again() {
        Caller caller = caller(conflicting(1));
        timing.run();
        caller.goes();
        timing.run();
        closesWith(caller);
    }

    @Test
    void closing_does_not_turn_away_who_stands_apart() {
        closesWith(apart());
    }

    private void closesWith(Caller caller) {
        timing.after(2 * MILLI, () -> caller.goes());
        long began = timing.now();
        line.close();
        assertThat(caller.gets()).isEqualTo(1);
        assertThat(timing.now() - began).isEqualTo(2 * MILLI);
    }

    @Test
    void closing_waits_for_a_unit_that_was_abandoned() {
        Caller slow = caller();
        timing.run();
        slow.takes();
        timing.pass(HALF + 1);
        store.beginning = failing(down);
        caller();
        timing.run();
        timing.after(50 * MILLI, () -> slow.ends());
        line.close();
        assertThat(slow.gets()).isEqualTo(1);
    }

    @Test
    void closing_does_not_wait_for_a_beginning_that_was_abandoned() {
        Caller first = caller();
        hang();
        timing.pass(HALF + 1);
        play(first, caller());
        long began = timing.now();
        line.close();
        assertThat(timing.now()).isEqualTo(began);
    }

    @Test
    void closing_takes_no_longer_than_the_patience() {
        Caller caller = caller();
        timing.run();
        caller.takes();
        long began = timing.now();
        line.close();
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos());
        assertThat(closings).isEqualTo(1);
    }

    @Test
    void closing_takes_no_time_when_nothing_is_under_way() {
        play(caller());
        long began = timing.now();
        line.close();
        assertThat(timing.now()).isEqualTo(began);
    }

    @Test
    void closing_can_be_interrupted_and_keeps_that_in_mind() {
        caller();
        Thread.currentThread().interrupt();
        long began = timing.now();
        line.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(timing.now()).isEqualTo(began);
        assertThat(closings).isEqualTo(1);
    }

    @Test
    void who_comes_when_it_is_closed_has_nothing_begun() {
        line.close();
        assertThatThrownBy(this::caller).isInstanceOf(IllegalStateException.class);
        assertThat(timing.tasks).isEmpty();
    }
}
