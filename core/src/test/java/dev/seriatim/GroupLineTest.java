// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which units share a transaction, and what their callers hear when something goes wrong, on one thread whose time the test lets
 * pass: it takes the steps of several callers, in the order that it wants.
 */
@Timeout(60)
class GroupLineTest {

    private static final Duration PATIENCE = Duration.ofMillis(400);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long HALF = PATIENCE.toNanos() / 2;
    private static final long FAILURE_PAUSE = 10 * MILLI;
    private static final long CONFLICT_PAUSE = MILLI / 2;

    /** Half a millisecond, shortened or prolonged by chance, which takes the highest there is. */
    private static final long OWN_PAUSE = MILLI * 3 / 4 - 1;

    private static final String CLOSED = "sequence 's': closed; open it anew to draw from it";
    private static final String NO_ANSWER =
            "sequence 's': no answer from the store within 400 ms, nothing was committed;"
                    + " check that it runs and is reachable, and that no transaction holds the lock on this sequence; the next call"
                    + " tries again";
    private static final String NO_LOCK =
            "sequence 's': no lock on its counter within 400 ms although the store answers, so"
                    + " another transaction holds it, or the connection is stuck; nothing was committed, end that transaction or"
                    + " wait longer";
    private static final String NO_TURN = "sequence 's': no turn within 400 ms although the store answers, nothing was"
            + " committed; make the units of work shorter, or wait longer";

    private static final Thread ELSEWHERE = new Thread("another caller");

    private final SequenceException down = new Unavailable("s", "connection refused; start the server", null);
    private final SequenceException locked = new Overloaded("s", "another session is in the way", null);
    private final LoneTiming timing = new LoneTiming();
    private final Store store = new Store();

    /** What the store was asked, and what the listener heard. */
    private final List<String> log = new ArrayList<>();

    private final List<String> told = new ArrayList<>();
    private Duration patience = PATIENCE;
    private Executor executor = timing;
    private UnitStart<? super Rows> start = Sequences.NO_START;
    private int closings;
    private GroupLine<Rows> line = line();

    /** What a hook has found wrong, which the line takes for a failure of the store or of a unit. */
    private @Nullable AssertionError wrong;

    @AfterEach
    void nothing_was_wrong() {
        assertThat(Thread.interrupted()).isFalse();
        assertThat(timing.locked()).isFalse();
        if (wrong != null) {
            throw wrong;
        }
    }

    @Test
    void a_grouped_sequence_is_such_a_line() {
        GroupedSequence<Rows> sequence = new GroupedSequence<>(context());
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
        assertThat(timing.tasks).as("the next is begun at once").hasSize(1);
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
        assertThat(timing.tasks).as("a nanosecond before, but nobody waited").hasSize(1);
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
                        "sequence 's': a unit of work of this sequence runs on this thread, and another one inside it"
                                + " would wait for it forever; draw with the turn that the unit was given");
        assertThat(line.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
    }

    @Test
    void a_unit_inside_one_that_was_left_behind_is_refused_too() {
        Caller left = caller(turn -> line.commit(this::stored));
        timing.run();
        left.takes();
        timing.pass(HALF + 1);
        Caller next = caller();
        left.worksHere();
        left.ends();
        assertThat(left.thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("would wait for it");
        play(next);
        assertThat(next.gets()).isEqualTo(1);
    }

    // What is done before each unit

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
    void who_cannot_be_started_hears_why_as_if_its_unit_had_thrown() {
        start = rows -> {
            throw new IOException("no tenant");
        };
        line = line();
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Misconfigured.class)
                .hasMessage(
                        "sequence 's': what is done before each unit of work failed (java.io.IOException: no tenant),"
                                + " nothing was committed")
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

    // What hangs is left behind

    @Test
    void a_beginning_is_left_behind_by_who_comes_after_more_than_half_of_the_patience() {
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
    void a_beginning_is_left_behind_by_those_who_wait_too() {
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
    void no_more_than_three_are_left_behind_until_one_of_them_ends() {
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
        assertThat(timing.tasks).as("and another is begun").hasSize(1);
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
        assertThat(called(second, third)).as("for whom another is coming").isEmpty();
        timing.run();
        assertThat(slow.gets()).isEqualTo(1);
        assertThat(log).containsExactly("begin", "commit [1]");
        assertThat(timing.tasks)
                .as("that one is left behind now that no transaction of our own holds the lock")
                .hasSize(1);
    }

    @Test
    void a_unit_that_takes_its_time_is_left_behind_by_who_comes_anew_and_by_nobody_else() {
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
    void who_does_not_take_its_turn_is_left_behind() {
        Caller called = caller();
        timing.pass(HALF);
        timing.run();
        assertThat(called(called)).containsExactly(called);
        leftBehindAfterHalf();
    }

    @Test
    void a_commit_that_hangs_is_left_behind() {
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
    void a_rollback_that_hangs_is_left_behind() {
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
    void the_failure_of_a_beginning_that_was_left_behind_is_not_that_of_those_who_wait() {
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
    void what_was_left_behind_is_committed_all_the_same() {
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

    // No transaction can be begun

    @Test
    void all_who_wait_hear_each_by_itself_why_no_transaction_can_be_begun() {
        Caller apart = apart();
        Caller first = caller();
        Caller second = caller();
        store.beginning = failing(down);
        int woken = timing.woken;
        timing.run();
        assertThat(timing.woken - woken).isEqualTo(3);
        for (Caller caller : List.of(first, second, apart)) {
            assertThat(caller.hears())
                    .isInstanceOf(Unavailable.class)
                    .hasMessage(down.getMessage())
                    .isNotSameAs(down)
                    .hasCause(down);
        }
        assertThat(told).containsExactly("failed: " + down.getMessage());
        assertThat(timing.tasks).isEmpty();
        timing.passMillis(1);
        runs();
        assertThat(line.waiting).as("when its pause is over").isEmpty();
    }

    @Test
    void after_a_failure_it_pauses_and_each_time_longer() {
        store.beginning = failing(down);
        caller();
        timing.run();
        caller();
        caller();
        pausesFor(FAILURE_PAUSE);
        runs();
        caller();
        pausesFor(2 * FAILURE_PAUSE);
        runs();
        caller();
        pausesFor(4 * FAILURE_PAUSE);
    }

    @Test
    void after_a_commit_a_failure_is_the_first_again() {
        for (int i = 0; i < 2; i++) {
            store.beginning = failing(down);
            caller();
            timing.run();
            Caller caller = caller();
            pausesFor(FAILURE_PAUSE);
            store.beginning = Groups.NOTHING;
            play(caller);
        }
    }

    @Test
    void who_leaves_while_it_pauses_has_nothing_begun() {
        store.beginning = failing(down);
        caller();
        timing.run();
        interrupted(caller());
        timing.pass(FAILURE_PAUSE);
        runs();
        assertThat(log).containsExactly("begin");
        caller();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void a_store_that_refuses_is_up_and_needs_no_pause() {
        store.beginning = failing(new NotFound("s", "the table"));
        assertThatThrownBy(() -> line.commit(this::stored)).isInstanceOf(NotFound.class);
        caller();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void where_others_are_in_the_way_nobody_hears_it_and_it_tries_again_and_again() {
        store.beginning = failing(locked);
        Caller caller = caller();
        for (int i = 0; i < 3; i++) {
            runs();
            pausesFor(CONFLICT_PAUSE << i);
        }
        store.beginning = Groups.NOTHING;
        play(caller);
        assertThat(caller.gets()).isEqualTo(1);
        assertThat(told).hasSize(3).containsOnly("failed: " + locked.getMessage());
        store.beginning = failing(locked);
        caller();
        timing.run();
        pausesFor(CONFLICT_PAUSE);
    }

    @Test
    void where_the_executor_is_full_when_a_pause_ends_it_ends_all_the_same() {
        store.beginning = failing(locked);
        Caller caller = caller();
        timing.run();
        timing.refusal = new RejectedExecutionException("full");
        timing.pass(CONFLICT_PAUSE);
        assertThat(caller.hears()).isInstanceOf(Unavailable.class).hasMessageContaining("no thread can be had");
    }

    @Test
    void where_no_pause_can_be_had_it_tries_again_at_once() {
        timing.noTimer = new OutOfMemoryError("unable to create native thread");
        store.beginning = failing(locked);
        Caller caller = caller();
        timing.run();
        assertThat(timing.tasks).hasSize(1);
        store.beginning = Groups.NOTHING;
        play(caller);
        assertThat(caller.gets()).isEqualTo(1);
    }

    @Test
    void whatever_a_store_throws_is_its_failure() {
        NoClassDefFoundError missing = new NoClassDefFoundError("org/driver/Some");
        store.beginning = () -> {
            throw missing;
        };
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': the store failed: " + missing)
                .hasRootCause(missing);
        assertThat(told).containsExactly("failed: sequence 's': the store failed: " + missing);
    }

    @Test
    void a_store_that_brings_nothing_has_failed() {
        store.bringsNothing = true;
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no transaction");
        assertThat(log).containsExactly("begin");
    }

    @Test
    void a_transaction_without_its_counter_is_rolled_back() {
        store.counting = failing(down);
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Unavailable.class)
                .hasMessage(down.getMessage());
        assertThat(log).containsExactly("begin", "roll back");
        timing.pass(FAILURE_PAUSE);
        store.counting = Groups.NOTHING;
        store.countsNothing = true;
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no counter");
    }

    @Test
    void a_useless_transaction_that_cannot_be_rolled_back_changes_nothing() {
        store.counting = failing(down);
        store.ending = failing(new CommitOutcomeUnknown("s", null));
        Caller caller = caller();
        timing.run();
        assertThat(caller.hears()).isInstanceOf(Unavailable.class).hasMessage(down.getMessage());
        assertThat(told).containsExactly("failed: " + down.getMessage());
    }

    @Test
    void what_a_store_throws_that_cannot_be_shown_is_its_failure_too() {
        store.beginning = failing(new Unshowable());
        Caller caller = caller();
        assertThat(catchThrowable(timing::run)).isNull();
        assertThat(caller.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': the store failed: " + Unshowable.class.getName());
    }

    @Test
    void where_no_thread_can_be_had_nobody_begins_on_its_own() {
        timing.refusal = new RejectedExecutionException("full");
        Caller caller = caller();
        assertThat(caller.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': no thread can be had to ask the store: " + timing.refusal)
                .hasRootCause(timing.refusal);
        assertThat(log).isEmpty();
        timing.refusal = null;
        caller();
        pausesFor(FAILURE_PAUSE);
    }

    @Test
    void an_executor_whose_refusal_cannot_be_shown_refuses_all_the_same() {
        timing.refusal = new Unshowable();
        assertThat(caller().hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': no thread can be had to ask the store: " + Unshowable.class.getName());
    }

    @Test
    void what_the_executor_has_taken_although_it_threw_is_not_begun() {
        executor = task -> {
            timing.tasks.add(task);
            throw new RejectedExecutionException("full");
        };
        line = line();
        assertThat(caller().hears()).isInstanceOf(Unavailable.class);
        timing.run();
        assertThat(log).isEmpty();
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

    // A unit throws

    @Test
    void a_unit_that_throws_is_undone_before_its_caller_hears_it_and_the_others_run_again_at_once() {
        Caller first = caller();
        Caller throwing = caller(this::throwing);
        Caller third = caller();
        timing.run();
        first.goes();
        throwing.goes();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
        assertThat(log).containsExactly("begin", "roll back");
        assertThat(timing.tasks).hasSize(1);
        play(first, third);
        assertThat(List.of(first.gets(), third.gets())).containsExactly(1L, 2L);
        assertThat(told).as("it is not the store's").isEmpty();
    }

    @Test
    void an_error_of_a_unit_is_its_callers_too() {
        AssertionError error = new AssertionError("the unit's own");
        assertThatThrownBy(() -> line.commit(turn -> {
                    throw error;
                }))
                .isSameAs(error);
        assertThat(log).containsExactly("begin", "roll back");
    }

    @Test
    void who_waits_for_its_undoing_is_woken() {
        Caller throwing = caller(this::throwing);
        timing.run();
        int woken = timing.woken;
        throwing.goes();
        assertThat(timing.woken - woken).isEqualTo(1);
    }

    @Test
    void after_a_failure_sixteen_groups_make_a_savepoint_before_each_unit_but_the_first() {
        store.savepoints = true;
        fail();
        assertThat(log).as("bare").doesNotContain("mark");
        for (int i = 0; i < 16; i++) {
            log.clear();
            playTwo();
            assertThat(log).as("%d", i).containsOnlyOnce("mark");
        }
        log.clear();
        playTwo();
        assertThat(log).doesNotContain("mark");
    }

    @Test
    void behind_a_savepoint_a_unit_that_throws_costs_only_itself() {
        store.savepoints = true;
        fail();
        Caller first = caller();
        Caller throwing = caller(this::throwing);
        Caller third = caller();
        log.clear();
        timing.run();
        first.goes();
        throwing.goes();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
        assertThat(called(third)).containsExactly(third);
        third.goes();
        timing.run();
        assertThat(log).containsExactly("begin", "mark", "undo", "mark", "commit [1, 2]");
        assertThat(third.gets()).isEqualTo(2);
    }

    @Test
    void what_throws_last_behind_a_savepoint_has_the_rest_committed() {
        store.savepoints = true;
        fail();
        Caller first = caller();
        Caller throwing = caller(this::throwing);
        timing.run();
        first.goes();
        throwing.goes();
        timing.run();
        assertThat(first.gets()).isEqualTo(1);
    }

    @Test
    void where_a_savepoint_cannot_be_returned_to_everything_is_rolled_back() {
        store.savepoints = true;
        fail();
        store.undoing = () -> {
            throw new NoClassDefFoundError("org/driver/Some");
        };
        Caller first = caller();
        Caller throwing = caller(this::throwing);
        log.clear();
        timing.run();
        first.goes();
        throwing.goes();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
        assertThat(log).containsExactly("begin", "mark", "undo", "roll back");
        play(first);
        assertThat(first.gets()).isEqualTo(1);
    }

    @Test
    void where_a_savepoint_cannot_be_made_everybody_gets_a_transaction_of_its_own() {
        store.savepoints = true;
        fail();
        Caller first = caller();
        Caller second = caller();
        Caller third = caller();
        Caller fourth = caller();
        log.clear();
        timing.run();
        first.goes();
        second.goes();
        store.marking = failing(down);
        third.goes();
        assertThat(third.thrown).isNull();
        assertThat(called(third, fourth)).isEmpty();
        store.marking = Groups.NOTHING;
        play(first, second, third, fourth);
        assertThat(log.subList(0, 4)).containsExactly("begin", "mark", "mark", "roll back");
        assertThat(log.subList(4, log.size()))
                .containsExactly(
                        "begin", "commit [1]", "begin", "commit [2]", "begin", "commit [3]", "begin", "commit [4]");
        assertThat(List.of(first.gets(), second.gets(), third.gets(), fourth.gets()))
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void before_whom_a_savepoint_could_not_be_made_has_not_run() {
        store.savepoints = true;
        fail();
        Caller first = caller();
        Caller second = caller();
        timing.run();
        first.goes();
        store.marking = failing(down);
        second.goes();
        hang();
        assertThat(hearsAtTheEnd(second)).isInstanceOf(Unavailable.class).hasMessage(NO_ANSWER);
    }

    @Test
    void where_others_are_in_the_way_of_a_savepoint_all_run_again_together_after_a_pause() {
        store.savepoints = true;
        fail();
        Caller first = caller();
        Caller second = caller();
        log.clear();
        timing.run();
        first.goes();
        store.marking = failing(locked);
        second.goes();
        store.marking = Groups.NOTHING;
        timing.run();
        pausesFor(CONFLICT_PAUSE);
        play(first, second);
        assertThat(log).containsExactly("begin", "mark", "roll back", "begin", "mark", "commit [1, 2]");
    }

    @Test
    void without_savepoints_groups_shrink_to_half_of_what_a_failure_has_cost_and_grow_again_with_each_commit() {
        List<Caller> six = callers(6);
        Caller throwing = caller(this::throwing);
        timing.run();
        six.forEach(Caller::goes);
        throwing.goes();
        log.clear();
        play(six.toArray(Caller[]::new));
        assertThat(log).containsExactly("begin", "commit [1, 2, 3]", "begin", "commit [4, 5, 6]");
        log.clear();
        play(callers(13).toArray(Caller[]::new));
        assertThat(log)
                .containsExactly(
                        "begin", "commit " + numbers(7, 18), "begin", "commit " + numbers(19, 19)); // 12 in the first
    }

    @Test
    void a_failure_behind_one_unit_has_each_run_alone_and_one_at_the_front_too() {
        Caller first = caller();
        Caller throwing = caller(this::throwing);
        Caller third = caller();
        timing.run();
        first.goes();
        throwing.goes();
        log.clear();
        play(first, third);
        assertThat(log).containsExactly("begin", "commit [1]", "begin", "commit [2]");
        throwing = caller(this::throwing);
        timing.run();
        throwing.goes();
        log.clear();
        playTwo();
        assertThat(log).containsExactly("begin", "commit [3]", "begin", "commit [4]");
    }

    @Test
    void savepoints_keep_groups_large() {
        store.savepoints = true;
        Caller first = caller();
        Caller throwing = caller(this::throwing);
        Caller third = caller();
        timing.run();
        first.goes();
        throwing.goes();
        log.clear();
        play(first, third);
        assertThat(log).containsExactly("begin", "mark", "commit [1, 2]");
    }

    @Test
    void where_a_unit_had_ended_the_transaction_nobody_runs_again_and_all_hear_that_the_outcome_is_unknown() {
        CommitOutcomeUnknown ended = new CommitOutcomeUnknown("s", "a unit has ended it", null);
        store.ending = failing(ended);
        Caller first = caller();
        Caller throwing = caller(this::throwing);
        Caller third = caller();
        timing.run();
        first.goes();
        throwing.goes();
        assertThat(throwing.thrown)
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessage(ended.getMessage())
                .hasSuppressedException(thrownByUnit)
                .isNotSameAs(ended);
        assertThat(first.hears()).isInstanceOf(CommitOutcomeUnknown.class).hasNoSuppressedExceptions();
        assertThat(told).containsExactly("failed: " + ended.getMessage());
        play(third);
        assertThat(third.gets()).isEqualTo(1);
        assertThat(log).containsExactly("begin", "roll back", "begin", "commit [1]");
    }

    @Test
    void a_store_that_does_not_say_whether_it_rolled_back_leaves_the_outcome_unknown() {
        store.ending = failing(down);
        Caller first = caller();
        Caller second = caller(GroupLineTest::conflict);
        timing.run();
        first.goes();
        second.goes();
        timing.run();
        String message = "sequence 's': commit outcome unknown, the store failed to say whether it rolled back (" + down
                + "); look whether the transaction's rows are there before repeating it";
        for (Caller caller : List.of(first, second)) {
            assertThat(caller.hears())
                    .isInstanceOf(CommitOutcomeUnknown.class)
                    .hasMessage(message)
                    .hasRootCause(down);
        }
        assertThat(told).containsExactly("failed: " + message);
    }

    @Test
    void a_store_whose_words_about_that_cannot_be_shown_leaves_the_outcome_unknown_too() {
        store.ending = failing(new Unshowable());
        assertThatThrownBy(() -> line.commit(this::throwing))
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("whether it rolled back (" + Unshowable.class.getName() + ")")
                .hasSuppressedException(thrownByUnit);
        store.ending = Groups.NOTHING;
        assertThat(line.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
    }

    @Test
    void who_waits_for_its_undoing_has_its_patience_anew_and_a_moment_and_then_its_own_exception() {
        Caller throwing = caller(turn -> {
            timing.pass(PATIENCE.toNanos());
            timing.tasks.add(this::hang); // what comes behind it is the rollback
            throw thrownByUnit;
        });
        timing.run();
        timing.pass(1);
        throwing.takes();
        long began = timing.now();
        throwing.ends();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
        assertThat(timing.now() - began).isEqualTo(2 * PATIENCE.toNanos() + 100 * MILLI);
    }

    @Test
    void who_waits_for_its_undoing_cannot_be_interrupted_and_keeps_that_in_mind() {
        Caller throwing = caller(turn -> {
            timing.tasks.add(() -> timing.passMillis(30));
            Thread.currentThread().interrupt();
            throw thrownByUnit;
        });
        timing.run();
        throwing.goes();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
        assertThat(log).containsExactly("begin", "roll back");
    }

    @Test
    void who_waits_for_the_undoing_of_others_has_a_moment_more_than_its_patience_and_then_knows_nothing() {
        Caller first = caller();
        Caller second = caller(GroupLineTest::conflict);
        timing.run();
        first.goes();
        second.goes();
        Runnable hanging = hang();
        long began = timing.now();
        assertThat(first.hears())
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessage(
                        "sequence 's': commit outcome unknown, the store had not answered the rollback when the 400 ms"
                                + " were over; look whether the transaction's rows are there before repeating it");
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos() + 100 * MILLI);
        hanging.run();
        assertThat(line.waiting).as("who is gone does not run again").containsExactly(second.member);
    }

    @Test
    void who_is_interrupted_while_others_are_undone_leaves_when_that_is_done() {
        Caller first = caller();
        Caller second = caller(GroupLineTest::conflict);
        timing.run();
        first.goes();
        second.goes();
        Thread.currentThread().interrupt();
        assertThat(first.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': interrupted while waiting for a turn; nothing was committed");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(log).endsWith("roll back");
    }

    @Test
    void an_interrupt_that_had_to_wait_for_the_last_word_is_given_back() {
        assertThatThrownBy(() -> line.commit(turn -> {
                    Thread.currentThread().interrupt();
                    timing.tasks.add(this::hang); // what comes behind it is the rollback
                    throw new Conflict();
                }))
                .isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_store_that_fails_to_say_who_is_to_blame_does_not_hide_what_the_unit_threw() {
        IllegalStateException fault = new IllegalStateException("a driver's fault");
        store.blaming = failing(fault);
        IllegalArgumentException own = new IllegalArgumentException("refused");
        assertThatThrownBy(() -> line.commit(turn -> {
                    throw own;
                }))
                .isSameAs(own)
                .hasSuppressedException(fault);
        store.blaming = failing(own);
        IllegalArgumentException same = own;
        assertThatThrownBy(() -> line.commit(turn -> {
                    throw same;
                }))
                .isSameAs(own);
    }

    @Test
    void where_an_earlier_unit_may_have_spoiled_it_each_gets_a_transaction_of_its_own() {
        Caller first = caller();
        Caller spoiling = caller(turn -> {
            long number = stored(turn);
            turn.transaction().spoiled = true;
            return number;
        });
        Caller third = caller();
        Caller fourth = caller();
        timing.run();
        first.goes();
        spoiling.goes();
        third.goes();
        assertThat(third.thrown).as("it may not be its own").isNull();
        assertThat(called(fourth)).isEmpty();
        play(first, spoiling, third, fourth);
        assertThat(log.subList(0, 2)).containsExactly("begin", "roll back");
        assertThat(log.subList(2, log.size()))
                .containsExactly(
                        "begin", "commit [1]", "begin", "commit [2]", "begin", "commit [2]", "begin", "commit [3]");
        assertThat(spoiling.hears()).isInstanceOf(Misconfigured.class).hasMessageContaining("kept that to itself");
        assertThat(List.of(first.gets(), third.gets(), fourth.gets())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void alone_a_unit_that_spoils_its_transaction_is_its_own_fault() {
        Caller spoiling = caller(turn -> {
            turn.transaction().spoiled = true;
            throw thrownByUnit;
        });
        timing.run();
        spoiling.goes();
        assertThat(spoiling.thrown).isSameAs(thrownByUnit);
    }

    @Test
    void behind_a_savepoint_a_unit_that_spoils_the_transaction_is_its_own_fault() {
        store.savepoints = true;
        fail();
        Caller first = caller();
        Caller spoiling = caller(turn -> {
            turn.transaction().spoiled = true;
            throw thrownByUnit;
        });
        timing.run();
        first.goes();
        spoiling.goes();
        assertThat(spoiling.thrown).isSameAs(thrownByUnit);
        timing.run();
        assertThat(first.gets()).isEqualTo(1);
    }

    // Conflicts

    @Test
    void after_a_conflict_in_a_unit_all_of_its_group_run_again_after_a_pause() {
        Caller first = caller();
        Caller second = caller(conflicting(1));
        Caller third = caller();
        timing.run();
        first.goes();
        second.goes();
        assertThat(second.thrown).isNull();
        assertThat(called(first, second, third)).isEmpty();
        timing.run();
        assertThat(log).containsExactly("begin", "roll back");
        pausesFor(CONFLICT_PAUSE);
        play(first, second, third);
        assertThat(log).containsExactly("begin", "roll back", "begin", "commit [1, 2, 3]");
        assertThat(List.of(first.gets(), second.gets(), third.gets())).containsExactly(1L, 2L, 3L);
        assertThat(told).as("which is nothing unusual").isEmpty();
    }

    @Test
    void who_is_in_conflict_twice_stands_apart_and_the_others_go_on_without_a_pause() {
        Caller first = caller();
        Caller twice = caller(conflicting(2));
        Caller third = caller();
        timing.run();
        first.goes();
        twice.goes();
        timing.run();
        timing.pass(CONFLICT_PAUSE);
        runs();
        first.goes();
        twice.goes();
        timing.run();
        assertThat(timing.tasks).as("no pause").hasSize(1);
        timing.run();
        first.goes();
        assertThat(called(twice, third)).containsExactly(third);
        third.goes();
        timing.run();
        assertThat(store.committed).containsExactly(1L, 2L);
        pausesFor(OWN_PAUSE);
        play(twice);
        assertThat(twice.gets()).isEqualTo(3);
    }

    @Test
    void who_stands_apart_runs_behind_the_others_and_alone() {
        Caller apart = apart();
        Caller before = caller();
        timing.pass(OWN_PAUSE);
        timing.tasks.removeLast().run();
        Caller behind = caller();
        log.clear();
        play(before, apart, behind);
        assertThat(log).containsExactly("begin", "commit [1]", "begin", "commit [2]", "begin", "commit [3]");
        assertThat(List.of(before.gets(), apart.gets(), behind.gets())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void who_stands_apart_pauses_longer_each_time_up_to_a_quarter_of_a_second_and_a_half_of_that_more() {
        patience(Duration.ofSeconds(20));
        List<Long> runs = new ArrayList<>();
        assertThatThrownBy(() -> line.commit(turn -> {
                    runs.add(timing.now());
                    throw new Conflict();
                }))
                .isInstanceOf(Overloaded.class);
        long pause = MILLI / 2;
        for (int i = 2; i < 14; i++) {
            assertThat(runs.get(i) - runs.get(i - 1)).as("%d", i).isEqualTo(pause / 2 + pause - 1);
            pause = Math.min(pause * 2, 256 * MILLI);
        }
    }

    @Test
    void whose_own_unit_is_always_in_conflict_hears_that() {
        List<String> runs = new ArrayList<>();
        Throwable thrown = catchThrowable(() -> line.commit(turn -> {
            runs.add("run");
            throw new Conflict();
        }));
        assertThat(thrown)
                .isInstanceOf(Overloaded.class)
                .hasMessage("sequence 's': not committed within 400 ms, since its own unit of work was in conflict with"
                        + " another session each of the " + runs.size()
                        + " times it ran; nothing was committed, look at"
                        + " the cause")
                .hasRootCauseInstanceOf(Conflict.class);
        timing.passMillis(1000);
        runs();
        assertThat(line.apart).isEmpty();
        assertThat(line.waiting).isEmpty();
    }

    @Test
    void after_a_conflict_at_its_commit_a_group_runs_again_after_a_pause() {
        store.committing = once(locked);
        Caller first = caller();
        Caller second = caller();
        timing.run();
        first.goes();
        second.goes();
        timing.run();
        assertThat(told).containsExactly("failed: " + locked.getMessage());
        pausesFor(CONFLICT_PAUSE);
        play(first, second);
        assertThat(log).containsExactly("begin", "commit [1, 2]", "begin", "commit [1, 2]");
        assertThat(List.of(first.gets(), second.gets())).containsExactly(1L, 2L);
    }

    @Test
    void a_group_that_is_lost_six_times_at_its_commit_is_tried_one_by_one() {
        patience(Duration.ofSeconds(10));
        store.committing = failing(locked);
        Caller first = caller();
        Caller second = caller();
        timing.run();
        for (int i = 0; i < 6; i++) {
            first.goes();
            assertThat(called(second)).as("%d", i).containsExactly(second);
            second.goes();
            timing.run();
            timing.passMillis(400);
            runs();
        }
        store.committing = Groups.NOTHING;
        first.goes();
        assertThat(called(second)).isEmpty();
        log.clear();
        play(first, second);
        assertThat(log).containsExactly("commit [1]", "begin", "commit [2]");
    }

    @Test
    void alone_a_conflict_at_the_commit_is_the_units_own() {
        store.committing = failing(locked);
        Caller caller = caller();
        timing.run();
        caller.goes();
        timing.run();
        pausesFor(CONFLICT_PAUSE);
        runs();
        caller.goes();
        timing.run();
        assertThat(line.apart).containsExactly(caller.member);
        timing.pass(PATIENCE.toNanos());
        assertThat(caller.hears())
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("its own unit of work was in conflict with another session each of the 2 times")
                .hasCauseInstanceOf(Overloaded.class)
                .hasRootCause(locked);
        assertThat(line.apart).isEmpty();
    }

    @Test
    void after_a_commit_a_conflict_is_the_first_again() {
        for (int i = 0; i < 2; i++) {
            Caller caller = caller(conflicting(1));
            timing.run();
            caller.goes();
            timing.run();
            pausesFor(CONFLICT_PAUSE);
            play(caller);
        }
    }

    // Commits that fail

    @Test
    void when_the_answer_to_a_commit_is_lost_all_hear_it_and_nobody_runs_again() {
        CommitOutcomeUnknown lost = new CommitOutcomeUnknown("s", null);
        store.committing = once(lost);
        Caller first = caller();
        Caller second = caller();
        timing.run();
        first.goes();
        second.goes();
        Caller third = caller();
        timing.run();
        for (Caller caller : List.of(first, second)) {
            assertThat(caller.hears())
                    .isInstanceOf(CommitOutcomeUnknown.class)
                    .hasCause(lost)
                    .hasMessage("sequence 's': commit outcome unknown, the store's answer was lost; look whether the"
                            + " transaction's rows are there before repeating it");
        }
        assertThat(told).containsExactly("failed: " + lost.getMessage());
        assertThat(timing.tasks).as("no pause").hasSize(1);
        play(third);
        assertThat(third.gets()).isEqualTo(1);
    }

    @Test
    void those_whose_commit_failed_are_woken() {
        store.committing = failing(new CommitOutcomeUnknown("s", null));
        Caller first = caller();
        timing.run();
        first.goes();
        int woken = timing.woken;
        timing.run();
        assertThat(timing.woken - woken).isEqualTo(1);
    }

    @Test
    void whatever_else_a_store_throws_at_the_commit_leaves_the_outcome_unknown() {
        NoClassDefFoundError missing = new NoClassDefFoundError("org/driver/Some");
        store.committing = () -> {
            throw missing;
        };
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasRootCause(missing);
        assertThat(told).hasSize(1);
    }

    @Test
    void a_single_caller_hears_why_nothing_was_committed() {
        SequenceException full = new Unavailable("s", "the disk is full", null);
        store.committing = failing(full);
        assertThatThrownBy(() -> line.commit(this::stored))
                .isInstanceOf(Unavailable.class)
                .hasCause(full)
                .hasMessage(full.getMessage());
        assertThat(log).containsExactly("begin", "commit [1]");
        assertThat(told).containsExactly("failed: " + full.getMessage());
    }

    @Test
    void where_nothing_could_be_committed_each_is_tried_alone_and_only_one_hears_why() {
        SequenceException rule = new Misconfigured("s", "a number must not be negative");
        Caller first = caller();
        Caller culprit = caller(turn -> {
            turn.transaction().numbers.add(-turn.next());
            return 0L;
        });
        Caller third = caller();
        timing.run();
        first.goes();
        culprit.goes();
        third.goes();
        store.committing = () -> {
            if (store.sent.stream().anyMatch(number -> number < 0)) {
                throw rule;
            }
        };
        play(first, culprit, third);
        assertThat(log)
                .containsExactly(
                        "begin",
                        "commit [1, -2, 3]",
                        "begin",
                        "commit [1]",
                        "begin",
                        "commit [-2]",
                        "begin",
                        "commit [2]");
        assertThat(culprit.hears()).isInstanceOf(Misconfigured.class).hasCause(rule);
        assertThat(List.of(first.gets(), third.gets())).containsExactly(1L, 2L);
    }

    @Test
    void who_leaves_while_the_commit_is_under_way_does_not_know_the_outcome_and_the_others_hear_it() {
        Caller first = caller();
        timing.passMillis(100);
        Caller second = caller();
        timing.run();
        first.goes();
        second.goes();
        Runnable commit = hang();
        long began = timing.now();
        assertThat(first.hears())
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessage(
                        "sequence 's': commit outcome unknown, the store had not answered the commit when the 400 ms"
                                + " were over; look whether the transaction's rows are there before repeating it")
                .cause()
                .hasNoCause();
        assertThat(timing.now() - began).isEqualTo(300 * MILLI);
        commit.run();
        assertThat(second.gets()).isEqualTo(2);
        assertThat(first.hears()).as("and that stays").isInstanceOf(CommitOutcomeUnknown.class);
    }

    @Test
    void who_is_interrupted_while_the_commit_is_under_way_does_not_know_the_outcome() {
        Caller first = caller();
        timing.run();
        first.goes();
        hang();
        Thread.currentThread().interrupt();
        assertThat(first.hears())
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("commit outcome unknown, interrupted before the store had answered the commit;")
                .hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void where_all_but_one_have_left_a_conflict_at_the_commit_is_not_its_own() {
        Caller first = caller();
        Caller second = caller();
        timing.run();
        first.goes();
        second.goes();
        Runnable commit = hang();
        interrupted(first, CommitOutcomeUnknown.class);
        store.committing = failing(locked);
        commit.run();
        pausesFor(CONFLICT_PAUSE);
        assertThat(second.member.conflicts).isZero();
    }

    @Test
    void who_leaves_before_the_commit_is_sent_takes_its_work_back_and_the_others_run_again() {
        Caller leaving = caller();
        timing.passMillis(100);
        Caller slow = caller();
        Caller third = caller();
        timing.run();
        leaving.goes();
        slow.takes();
        assertThat(leaving.hears())
                .isInstanceOf(Overloaded.class)
                .hasMessage(
                        "sequence 's': not committed within 400 ms, since another caller's unit of work took too long;"
                                + " nothing was committed, make the units shorter or wait longer")
                .cause()
                .hasNoCause();
        assertThat(timing.tasks).as("that one is left behind").hasSize(1);
        slow.ends();
        assertThat(called(third)).as("in a transaction that is rolled back").isEmpty();
        timing.tasks.removeLast().run();
        assertThat(log).containsExactly("begin", "roll back");
        play(slow, third);
        assertThat(List.of(slow.gets(), third.gets())).containsExactly(1L, 2L);
        assertThat(store.committed).containsExactly(1L, 2L);
    }

    @Test
    void who_is_interrupted_before_the_commit_is_sent_takes_its_work_back() {
        Caller leaving = caller();
        Caller second = caller();
        Caller third = caller();
        timing.run();
        leaving.goes();
        Thread.currentThread().interrupt();
        assertThat(leaving.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': interrupted before the commit was sent; nothing was committed")
                .hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(called(second)).as("before it left").containsExactly(second);
        second.goes();
        assertThat(second.result).as("whose turn is of no use").isNull();
        assertThat(log).containsExactly("begin");
        timing.run();
        assertThat(log).containsExactly("begin", "roll back");
        play(second, third);
        assertThat(log).endsWith("begin", "commit [1, 2]");
        assertThat(List.of(second.gets(), third.gets())).containsExactly(1L, 2L);
    }

    @Test
    void a_commit_and_a_rollback_for_which_there_is_no_thread_are_done_here() {
        Caller first = caller();
        timing.run();
        timing.refusal = new RejectedExecutionException("full");
        first.goes();
        assertThat(first.gets()).isEqualTo(1);
        timing.refusal = null;
        Caller throwing = caller(this::throwing);
        timing.run();
        timing.refusal = new RejectedExecutionException("full");
        throwing.goes();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
        assertThat(log).containsExactly("begin", "commit [1]", "begin", "roll back");
    }

    // The counter went back

    @Test
    void a_counter_behind_the_last_commit_stops_the_sequence() {
        play(caller(), caller());
        store.counter = fresh();
        Caller first = caller();
        Caller second = caller();
        log.clear();
        int woken = timing.woken;
        timing.run();
        String message =
                "sequence 's': regressed, the store dealt 1 after 2 (lossy failover or restored backup); raise it"
                        + " above every value in use, then open it anew";
        for (Caller caller : List.of(first, second)) {
            assertThat(caller.hears()).isInstanceOf(Regressed.class).hasMessage(message);
        }
        assertThat(timing.woken - woken).isEqualTo(2);
        assertThat(told).containsExactly("failed: " + message);
        timing.run();
        assertThat(log).containsExactly("begin", "roll back");
        assertThatThrownBy(this::caller).isInstanceOf(Regressed.class).hasMessage(message);
        assertThat(timing.tasks).isEmpty();
    }

    @Test
    void each_commit_of_its_own_moves_what_a_counter_must_not_be_behind() {
        play(caller());
        play(caller());
        store.counter = fresh().take(1).after();
        Caller caller = caller();
        timing.run();
        assertThat(caller.hears()).isInstanceOf(Regressed.class).hasMessageContaining("dealt 2 after 2");
        timing.run();
    }

    @Test
    void a_counter_that_was_only_looked_at_may_go_back() {
        store.counter = store.counter.take(10).after();
        line.<Long, RuntimeException>commit(turn -> 0L);
        store.counter = fresh();
        assertThat(line.<Long, RuntimeException>commit(this::stored)).isEqualTo(1);
    }

    @Test
    void the_furthest_of_the_own_commits_counts() {
        Caller slow = caller();
        timing.run();
        slow.takes();
        timing.pass(HALF + 1);
        play(callers(3).toArray(Caller[]::new)); // as if the database had let go of the lock
        slow.ends();
        timing.run();
        store.counter = fresh().take(2).after();
        Caller caller = caller();
        timing.run();
        assertThat(caller.hears()).isInstanceOf(Regressed.class).hasMessageContaining("dealt 3 after 3");
        timing.run();
    }

    @Test
    void what_was_committed_since_a_beginning_was_called_for_does_not_make_its_counter_one_that_went_back() {
        play(caller());
        Caller first = caller();
        Runnable hanging = hang();
        timing.pass(HALF + 1);
        play(first, caller());
        store.counter = fresh().take(1).after();
        hanging.run();
        runs();
        assertThat(told).isEmpty();
    }

    // What was waited for

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
        assertThat(timing.tasks).as("who asks would wait for the same").isEmpty();
        timing.pass(PATIENCE.toNanos());
        assertThat(caller.hears())
                .isInstanceOf(Unavailable.class)
                .hasMessage("sequence 's': nothing was committed, waited 400 ms for a connection of the pool");
        assertThat(store.awaitedFor).containsExactly(Duration.ZERO, PATIENCE.dividedBy(2));
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
    void nobody_asks_whether_the_store_answers_while_it_commits_or_rolls_back() {
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
        store.awaiting = failing(new IllegalStateException("a driver's fault"));
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

    /** It is asked whether the store answers, and it does. */
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
            assertThat(timing.news).as("who closes looks again").isGreaterThan(news);
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
    void closing_waits_for_a_unit_that_was_left_behind() {
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
    void closing_does_not_wait_for_a_beginning_that_was_left_behind() {
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
    void who_comes_while_it_is_stopped_or_closed_has_nothing_begun() {
        line.close();
        assertThatThrownBy(this::caller).isInstanceOf(IllegalStateException.class);
        assertThat(timing.tasks).isEmpty();
    }

    // How it is played

    /** A caller whose steps the test takes, where its own thread would. */
    private final class Caller {
        private final UnitOfWork<Rows, Long, RuntimeException> unit;
        private final Member<Rows> member = line.join();
        private @Nullable Group<Rows> group;
        private @Nullable Long result;

        /** What its unit threw, or what it heard instead. */
        private @Nullable Throwable thrown;

        Caller(UnitOfWork<Rows, Long, RuntimeException> unit) {
            this.unit = unit;
        }

        /** Takes its turn, and runs its unit if it still wants to. */
        void goes() {
            group = line.takeTurn(member);
            ends();
        }

        /** Takes its turn; its unit runs on its own thread until {@link #ends}. */
        void takes() {
            group = Objects.requireNonNull(line.takeTurn(member));
            group.slot.worker = ELSEWHERE;
        }

        /** Its unit runs on the test's own thread. */
        void worksHere() {
            Objects.requireNonNull(group).slot.worker = Thread.currentThread();
        }

        void ends() {
            Group<Rows> turn = group;
            if (turn != null) {
                try {
                    result = line.run(unit, member, turn);
                } catch (Throwable e) {
                    thrown = e;
                }
            }
        }

        /** What it returns with, being committed. */
        long gets() {
            assertThat(thrown).isNull();
            assertThat(member.place).isEqualTo(Member.Place.COMMITTED);
            assertThat(line.called(member)).isFalse();
            return Objects.requireNonNull(result);
        }

        /** Waits until it has failed. */
        Throwable hears() {
            return catchThrowable(() -> line.called(member));
        }

        boolean has(Member.Place place) {
            return member.place == place;
        }

        boolean hasItsAnswer() {
            return thrown != null || has(Member.Place.COMMITTED) || has(Member.Place.FAILED);
        }
    }

    private Caller caller() {
        return new Caller(this::stored);
    }

    private Caller caller(UnitOfWork<Rows, Long, RuntimeException> unit) {
        return new Caller(unit);
    }

    private List<Caller> callers(int count) {
        return IntStream.range(0, count).mapToObj(i -> caller()).toList();
    }

    private static List<Caller> called(Caller... callers) {
        return Arrays.stream(callers)
                .filter(caller -> caller.has(Member.Place.CALLED))
                .toList();
    }

    private static List<Caller> committed(Caller... callers) {
        return Arrays.stream(callers)
                .filter(caller -> caller.has(Member.Place.COMMITTED))
                .toList();
    }

    /** Everything goes its way until each of them has its answer. */
    private void play(Caller... callers) {
        for (int step = 0; step < 2000; step++) {
            List<Caller> called = called(callers);
            if (!called.isEmpty()) {
                called.get(0).goes();
            } else if (Arrays.stream(callers).allMatch(Caller::hasItsAnswer)) {
                return;
            } else {
                timing.park(this, MILLI);
            }
        }
        throw new AssertionError("somebody has no answer");
    }

    private void playTwo() {
        play(caller(), caller());
    }

    /** A unit has failed, which the groups behind it remember. */
    private void fail() {
        Caller throwing = caller(this::throwing);
        timing.run();
        throwing.goes();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
    }

    /** A caller whose unit was in conflict twice, and will not be again. */
    private Caller apart() {
        Caller caller = caller(conflicting(2));
        timing.run();
        caller.goes();
        timing.run();
        timing.pass(CONFLICT_PAUSE);
        runs();
        caller.goes();
        timing.run();
        assertThat(line.apart).containsExactly(caller.member);
        return caller;
    }

    /** Runs what was handed in, and what follows from that. */
    private void runs() {
        for (int step = 0; step < 100 && !timing.tasks.isEmpty(); step++) {
            timing.run();
        }
        assertThat(timing.tasks).isEmpty();
    }

    /** What was handed in first does not come to an end. */
    private Runnable hang() {
        return timing.tasks.remove();
    }

    private void pausesFor(long nanos) {
        timing.pass(nanos - 1);
        assertThat(timing.tasks).as("a nanosecond before").isEmpty();
        timing.pass(1);
        assertThat(timing.tasks).as("after %d us", nanos / 1000).hasSize(1);
    }

    /** A caller who waits wakes after so long, for any reason, and looks. */
    private void looksAfter(Caller caller, long nanos) {
        RuntimeException enough = new RuntimeException("it has looked");
        timing.tasks.addFirst(() -> {
            throw enough;
        });
        timing.tasks.addFirst(() -> timing.pass(nanos));
        assertThat(catchThrowable(() -> line.called(caller.member))).isSameAs(enough);
    }

    private Throwable hearsAtTheEnd(Caller caller) {
        timing.pass(patience.toNanos());
        return caller.hears();
    }

    private void interrupted(Caller caller) {
        interrupted(caller, Unavailable.class);
    }

    private static void interrupted(Caller caller, Class<? extends SequenceException> hears) {
        Thread.currentThread().interrupt();
        assertThat(caller.hears()).isInstanceOf(hears);
        assertThat(Thread.interrupted()).isTrue();
    }

    // Units

    private final Own thrownByUnit = new Own();

    private static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final class Own extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Own() {
            super("a unit's own", null, false, false);
        }
    }

    /** What not even its text can be had of. */
    private static final class Unshowable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new StackOverflowError("no text");
        }
    }

    private long stored(Turn<Rows> turn) {
        outside();
        Rows rows = turn.transaction();
        if (rows.spoiled) {
            throw new IllegalStateException("nothing works since a statement failed");
        }
        long number = turn.next();
        rows.numbers.add(number);
        return number;
    }

    private Long throwing(Turn<Rows> turn) {
        turn.transaction().numbers.add(turn.next());
        throw thrownByUnit;
    }

    private static Long conflict(Turn<Rows> turn) {
        turn.transaction().numbers.add(turn.next());
        throw new Conflict();
    }

    /** So often in conflict with another session. */
    private UnitOfWork<Rows, Long, RuntimeException> conflicting(int times) {
        int[] left = {times};
        return turn -> left[0]-- > 0 ? conflict(turn) : (Long) stored(turn);
    }

    private static String numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList().toString();
    }

    private static Runnable failing(RuntimeException failure) {
        return () -> {
            throw failure;
        };
    }

    private static Runnable once(RuntimeException failure) {
        boolean[] over = {false};
        return () -> {
            if (!over[0]) {
                over[0] = true;
                throw failure;
            }
        };
    }

    /** Nobody else's code is called under the lock. */
    private void outside() {
        if (timing.locked()) {
            wrong = new AssertionError("called under the lock");
        }
    }

    private void patience(Duration howLong) {
        patience = howLong;
        line = line();
    }

    private GroupLine<Rows> line() {
        return new GroupLine<>(context());
    }

    private GroupContext<Rows> context() {
        return new GroupContext<>(
                "s",
                store,
                start,
                new Listeners(new Telling()),
                task -> executor.execute(task),
                timing,
                patience,
                () -> closings++);
    }

    private static SequenceState fresh() {
        return SequenceState.fresh(SequenceDefinition.of("s"), 1);
    }

    /** What units work in. */
    private static final class Rows {
        private final List<Long> numbers = new ArrayList<>();

        /** A statement has failed, and no other works. */
        private boolean spoiled;
    }

    /** Locks nothing: who has to wait for whom, the test says. */
    private final class Store implements GroupingStore<Rows>, AwaitingStore {
        private final List<Long> committed = new ArrayList<>();
        private final List<Duration> awaitedFor = new ArrayList<>();
        private SequenceState counter = fresh();
        private List<Long> sent = List.of();
        private boolean savepoints;
        private boolean answers;
        private boolean bringsNothing;
        private boolean countsNothing;
        private String awaited = "";
        private Runnable beginning = Groups.NOTHING;
        private Runnable counting = Groups.NOTHING;
        private Runnable marking = Groups.NOTHING;
        private Runnable undoing = Groups.NOTHING;
        private Runnable committing = Groups.NOTHING;
        private Runnable ending = Groups.NOTHING;
        private Runnable blaming = Groups.NOTHING;
        private Runnable answering = Groups.NOTHING;
        private Runnable awaiting = Groups.NOTHING;

        private void happens(String what, Runnable hook) {
            outside();
            log.add(what);
            hook.run();
        }

        @Override
        @SuppressWarnings("NullAway") // as a store may that breaks its contract
        public SharedTransaction<Rows> begin(String name) {
            happens("begin", beginning);
            return bringsNothing ? null : savepoints ? new Marked(counter) : new Plain(counter);
        }

        @Override
        public boolean answers(String name) {
            happens("answers?", answering);
            return answers;
        }

        @Override
        public Optional<String> awaits(Duration atLeast) {
            awaitedFor.add(atLeast);
            awaiting.run();
            return awaited.isEmpty() ? Optional.empty() : Optional.of(awaited);
        }
    }

    private class Plain implements SharedTransaction<Rows> {
        private final SequenceState found;
        final Rows rows = new Rows();

        Plain(SequenceState found) {
            this.found = found;
        }

        @Override
        public Rows handle(Drawn drawn) {
            return rows;
        }

        @Override
        @SuppressWarnings("NullAway") // as a store may that breaks its contract
        public SequenceState counter() {
            store.counting.run();
            return store.countsNothing ? null : found;
        }

        @Override
        public Blame blame(Throwable thrown) {
            store.blaming.run();
            if (thrown instanceof Conflict) {
                return Blame.OTHER_SESSION;
            }
            return rows.spoiled ? Blame.EARLIER_UNIT : Blame.UNIT;
        }

        @Override
        public void commit(SequenceState after) {
            store.sent = rows.numbers;
            store.happens("commit " + rows.numbers, store.committing);
            if (rows.spoiled) {
                throw new Misconfigured("s", "a unit failed and kept that to itself");
            }
            store.counter = after;
            store.committed.addAll(rows.numbers);
        }

        @Override
        public void rollback() {
            store.happens("roll back", store.ending);
        }
    }

    private final class Marked extends Plain implements SavepointTransaction<Rows> {

        Marked(SequenceState found) {
            super(found);
        }

        @Override
        public Mark mark() {
            store.happens("mark", store.marking);
            int size = rows.numbers.size();
            return () -> {
                store.happens("undo", store.undoing);
                rows.numbers.subList(size, rows.numbers.size()).clear();
                rows.spoiled = false;
            };
        }
    }

    private final class Telling implements SequenceListener {
        @Override
        public void failed(String sequence, SequenceException failure) {
            outside();
            told.add("failed: " + failure.getMessage());
        }
    }
}
