// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.SequenceException.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The units of a group, and the results of their callers, when a unit or the store fails. */
@Timeout(60)
class GroupEndingsTest extends GroupGround {

    // No transaction can begin

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
    void who_came_after_it_was_asked_does_not_hear_that_a_store_refused() {
        store.beginning = once(new NotFound("s", "the table"));
        Caller first = caller();
        Caller together = caller();
        timing.pass(1);
        Caller later = caller(); // by then, it may have been created
        timing.run();
        assertThat(first.hears()).isInstanceOf(NotFound.class);
        assertThat(together.hears()).isInstanceOf(NotFound.class);
        play(later);
        assertThat(later.gets()).isEqualTo(1);
    }

    @Test
    void who_came_after_it_was_asked_hears_that_a_store_is_down() {
        store.beginning = once(down);
        caller();
        timing.pass(1);
        Caller later = caller();
        timing.run();
        assertThat(later.hears()).isInstanceOf(Unavailable.class);
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
        assertThat(caller.hears()).isInstanceOf(Unavailable.class).hasMessageContaining("no thread is available");
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
                .hasMessage("sequence 's': no thread is available to call the store: " + timing.refusal)
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
                .hasMessage("sequence 's': no thread is available to call the store: " + Unshowable.class.getName());
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
        assertThat(told).as("not a failure of the store").isEmpty();
    }

    @Test
    void an_error_of_a_unit_is_its_callers_too() {
        AssertionError error = new AssertionError("an error of the unit");
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
        assertThat(log).as("without savepoints").doesNotContain("mark");
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
        Caller second = caller(GroupGround::conflict);
        timing.run();
        first.goes();
        second.goes();
        timing.run();
        String message = "sequence 's': commit outcome unknown, the store failed to say whether it rolled back (" + down
                + "); check whether the transaction's rows exist before repeating it";
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
            timing.tasks.add(this::hang); // the next task is the rollback
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
        Caller second = caller(GroupGround::conflict);
        timing.run();
        first.goes();
        second.goes();
        Runnable hanging = hang();
        long began = timing.now();
        assertThat(first.hears())
                .isInstanceOf(CommitOutcomeUnknown.class)
                .hasMessage(
                        "sequence 's': commit outcome unknown, the patience of 400 ms ended before the store answered the rollback;"
                                + " check whether the transaction's rows exist before repeating it");
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos() + 100 * MILLI);
        hanging.run();
        assertThat(line.waiting).as("a caller that has left does not run again").containsExactly(second.member);
    }

    @Test
    void who_is_interrupted_while_others_are_undone_leaves_when_that_is_done() {
        Caller first = caller();
        Caller second = caller(GroupGround::conflict);
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
                    timing.tasks.add(this::hang); // the next task is the rollback
                    throw new Conflict();
                }))
                .isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_store_that_fails_to_say_who_is_to_blame_does_not_hide_what_the_unit_threw() {
        IllegalStateException fault = new IllegalStateException("a failure of the driver");
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
        assertThat(third.thrown).as("possibly not its own failure").isNull();
        assertThat(called(fourth)).isEmpty();
        play(first, spoiling, third, fourth);
        assertThat(log.subList(0, 2)).containsExactly("begin", "roll back");
        assertThat(log.subList(2, log.size()))
                .containsExactly(
                        "begin", "commit [1]", "begin", "commit [2]", "begin", "commit [2]", "begin", "commit [3]");
        assertThat(spoiling.hears()).isInstanceOf(Misconfigured.class).hasMessageContaining("without reporting it");
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
        assertThat(told).as("a conflict is not reported").isEmpty();
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
                .hasMessage(
                        "sequence 's': not committed within 400 ms: its own unit of work conflicted with another session"
                                + " each of the " + runs.size() + " times it ran; nothing was committed, see the cause")
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
                .hasMessageContaining("its own unit of work conflicted with another session each of the 2 times")
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
                    .hasMessage("sequence 's': commit outcome unknown, the store's answer was lost; check whether the"
                            + " transaction's rows exist before repeating it");
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
                        "sequence 's': commit outcome unknown, the patience of 400 ms ended before the store answered the commit;"
                                + " check whether the transaction's rows exist before repeating it")
                .cause()
                .hasNoCause();
        assertThat(timing.now() - began).isEqualTo(300 * MILLI);
        commit.run();
        assertThat(second.gets()).isEqualTo(2);
        assertThat(first.hears()).as("the outcome stays unknown").isInstanceOf(CommitOutcomeUnknown.class);
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
                .hasMessageContaining("commit outcome unknown, interrupted before the store answered the commit;")
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
        assertThat(timing.tasks).as("the transaction is abandoned").hasSize(1);
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
        assertThat(called(second)).as("before the caller left").containsExactly(second);
        second.goes();
        assertThat(second.result).as("its turn is useless").isNull();
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
                        + " above every value in use, then reopen it";
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
        play(callers(3).toArray(Caller[]::new)); // as if the database had released the lock
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
}
