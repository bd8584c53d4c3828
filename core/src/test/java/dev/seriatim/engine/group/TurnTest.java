// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a unit draws in its turn, and how it undoes part of that. */
class TurnTest {

    private static final String RETURNED =
            "the unit of work on sequence 's' has returned; draw and use its transaction inside" + " the unit only";
    private static final String GONE_BACK = "the unit has rolled back past this mark; set a new one";

    private final List<String> asked = new ArrayList<>();
    private final SequenceState fresh = SequenceState.fresh(
            SequenceDefinition.named("s").minValue(1L).maxValue(10L).build(), 1);
    private final GroupTurn<String> turn = new GroupTurn<>(new Marked(), fresh);

    private SharedTransaction.@Nullable Drawn drawn;
    private @Nullable RuntimeException failure;

    @Test
    void numbers_are_drawn_one_by_one_and_in_pieces_and_the_last_piece_is_shorter() {
        assertThat(turn.next()).isEqualTo(1);
        assertThat(turn.next(5)).isEqualTo(new Block(2, 5, 1));
        assertThat(turn.next(5)).isEqualTo(new Block(7, 4, 1));
        assertThatThrownBy(turn::next).isInstanceOf(SequenceException.Exhausted.class);
        assertThat(turn.end().usedUp()).isTrue();
    }

    @Test
    void another_thread_draws_and_undoes_nothing() {
        Turn.Mark mark = turn.mark();
        turn.next();
        for (Runnable use :
                List.<Runnable>of(turn::next, () -> turn.next(2), turn::mark, mark::undo, turn::transaction)) {
            assertThatThrownBy(CompletableFuture.runAsync(use, task -> new Thread(task).start())::join)
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage(
                            "sequence 's': a turn belongs to the thread that runs its unit of work; draw on"
                                    + " that thread, and pass the numbers to others");
        }
        assertThat(asked).containsExactly("mark 1");
        assertThat(turn.next()).isEqualTo(2);
    }

    @Test
    void a_piece_of_nothing_is_refused() {
        assertThatThrownBy(() -> turn.next(0))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'s'");
    }

    @Test
    void going_back_to_a_mark_takes_the_numbers_back_with_the_work() {
        turn.next();
        Turn.Mark mark = turn.mark();
        turn.next(3);
        mark.undo();
        assertThat(asked).containsExactly("mark 1", "undo 1");
        assertThat(turn.next()).isEqualTo(2);
        mark.undo();
        assertThat(turn.next()).as("the mark stays valid").isEqualTo(2);
        assertThat(turn.end().nextValue()).isEqualTo(3);
    }

    @Test
    void marks_behind_the_one_that_was_gone_back_to_are_gone_and_those_before_it_stay() {
        Turn.Mark first = turn.mark();
        turn.next();
        Turn.Mark second = turn.mark();
        turn.next();
        Turn.Mark third = turn.mark();
        turn.next();
        second.undo();
        assertThatThrownBy(third::undo)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(GONE_BACK);
        assertThat(asked).as("the transaction is not called").endsWith("undo 2");
        assertThat(turn.next()).isEqualTo(2);
        second.undo();
        first.undo();
        assertThat(turn.next()).isEqualTo(1);
        assertThatThrownBy(second::undo)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(GONE_BACK);
    }

    @Test
    void where_the_work_cannot_be_undone_the_numbers_stay_drawn() {
        Turn.Mark mark = turn.mark();
        turn.next();
        failure = new SequenceException.Unavailable("s", "the connection is gone", null);
        assertThatThrownBy(mark::undo).isSameAs(failure);
        assertThat(turn.next()).isEqualTo(2);
    }

    @Test
    void a_store_takes_numbers_back_when_the_unit_goes_back_to_a_savepoint_of_its_own() {
        assertThat(turn.transaction()).isEqualTo("handle");
        SharedTransaction.Drawn seen = Objects.requireNonNull(drawn);
        assertThat(turn.transaction()).isEqualTo("handle");
        assertThat(drawn).as("the same throughout the turn").isSameAs(seen);
        assertThat(seen.counter()).isEqualTo(fresh);
        assertThat(seen.hasDrawn()).isFalse();
        SharedTransaction.Drawn.Place first = seen.here();
        turn.next();
        assertThat(seen.hasDrawn()).isTrue();
        SharedTransaction.Drawn.Place second = seen.here();
        turn.next();
        assertThat(seen.counter().nextValue()).isEqualTo(3);
        assertThat(second.passed()).isFalse();
        first.back();
        assertThat(seen.counter()).isEqualTo(fresh);
        assertThat(seen.hasDrawn()).isFalse();
        assertThat(second.passed()).isTrue();
        assertThat(first.passed()).isFalse();
        assertThatThrownBy(second::back)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(GONE_BACK);
        assertThat(turn.next()).isEqualTo(1);
    }

    @Test
    void what_a_unit_has_kept_of_its_turn_is_of_no_use_when_it_has_returned() {
        turn.transaction();
        SharedTransaction.Drawn.Place place = Objects.requireNonNull(drawn).here();
        Turn.Mark mark = turn.mark();
        asked.clear();
        assertThat(turn.end()).isEqualTo(fresh);
        assertRefused(turn::next);
        assertRefused(() -> turn.next(2));
        assertRefused(turn::mark);
        assertRefused(turn::transaction);
        assertRefused(mark::undo);
        assertRefused(place::back);
        assertThat(asked).isEmpty();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable use) {
        assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessage(RETURNED);
    }

    @Test
    void where_there_are_no_savepoints_a_unit_can_only_be_undone_as_a_whole() {
        GroupTurn<String> plain = new GroupTurn<>(new Plain(), fresh);
        assertThatThrownBy(plain::mark)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("sequence 's': its database has no savepoints; throw to undo the whole unit");
    }

    private class Plain implements SharedTransaction<String> {
        @Override
        public String handle(Drawn progress) {
            drawn = progress;
            return "handle";
        }

        @Override
        public SequenceState counter() {
            return fresh;
        }

        @Override
        public Blame blame(Throwable thrown) {
            return Blame.UNIT;
        }

        @Override
        public void commit(SequenceState counter) {
            throw new UnsupportedOperationException("a turn does not end the transaction");
        }

        @Override
        public void rollback() {
            throw new UnsupportedOperationException("a turn does not end the transaction");
        }
    }

    private final class Marked extends Plain implements SavepointTransaction<String> {
        private int marks;

        @Override
        public Mark mark() {
            int number = ++marks;
            asked.add("mark " + number);
            return () -> {
                if (failure != null) {
                    throw failure;
                }
                asked.add("undo " + number);
            };
        }
    }
}
