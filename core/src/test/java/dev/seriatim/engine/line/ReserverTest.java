// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.engine.LoneTiming;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.AwaitingStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What is reserved again, what is rejected as a regression, and what is reported, on one thread: a test determines the
 * store's answers.
 */
class ReserverTest {

    private static final SequenceDefinition UP = SequenceDefinition.of("s");
    private static final SequenceDefinition DOWN =
            SequenceDefinition.named("s").incrementBy(-1).build();
    private static final SequenceDefinition TO_1000 =
            SequenceDefinition.named("s").maxValue(1000L).build();

    /** The store's answers, call by call; each may act first, like another session that draws in between. */
    private final Deque<Supplier<Reservation>> answers = new ArrayDeque<>();

    private final List<Long> asked = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final LoneTiming timing = new LoneTiming();
    private boolean takesBack = true;
    private Runnable givingBack = () -> {};

    private Reserver reserver = over(this::answered);

    // The order of answers

    @Test
    void blocks_that_rise_are_handed_out_as_they_come() {
        assertThat(deals(1, 10)).isEqualTo(block(1, 10));
        assertThat(deals(11, 20)).isEqualTo(block(11, 20));
        assertThat(deals(40, 40)).isEqualTo(block(40, 40));
    }

    @Test
    void the_store_is_asked_for_what_was_asked_for() {
        answers.add(() -> up(1, 7));
        assertThat(reserver.reserve(7)).isEqualTo(up(1, 7));
        assertThat(asked).containsExactly(7L);
    }

    @Test
    void a_counter_that_goes_back_is_a_regression_even_by_one() {
        deals(1, 10);
        assertThatThrownBy(() -> deals(10, 19))
                .isInstanceOf(Regressed.class)
                .hasMessageContaining("the store dealt 10 after 10");
        assertThatThrownBy(() -> deals(5, 30)).hasMessageContaining("the store dealt 5 after 10");
        assertThat(deals(11, 11)).as("a rejected block does not count as seen").isEqualTo(block(11, 11));
    }

    @Test
    void a_regression_is_told_as_a_failure_and_not_as_a_reservation() {
        deals(1, 10);
        told.clear();
        assertThatThrownBy(() -> deals(1, 10)).isInstanceOf(Regressed.class);
        assertThat(told).singleElement().asString().contains("regressed").startsWith("failed: ");
    }

    @Test
    void what_was_under_way_at_once_may_be_answered_in_the_other_order() {
        answers.add(() -> {
            deals(2, 2);
            return up(1, 1);
        });
        assertThat(reserver.reserve(1)).isEqualTo(up(1, 1));
    }

    @Test
    void the_furthest_answer_is_remembered_and_not_the_latest() {
        answers.add(() -> {
            deals(2, 2);
            return up(1, 1);
        });
        reserver.reserve(1);
        assertThatThrownBy(() -> deals(2, 2)).as("a restored backup").isInstanceOf(Regressed.class);
        assertThat(deals(3, 3)).isEqualTo(block(3, 3));
    }

    @Test
    void a_reservation_is_told_with_the_definition_of_that_moment() {
        List<SequenceDefinition> heard = new ArrayList<>();
        Reserver telling = new Reserver(
                "s",
                this::answered,
                new Listeners(new SequenceListener() {
                    @Override
                    public void reserved(String sequence, Block block, Duration took, SequenceDefinition definition) {
                        heard.add(definition);
                    }
                }),
                timing);
        answers.add(() -> new Reservation(new Block(1, 2, 1), UP, 1));
        answers.add(() -> new Reservation(new Block(3, 2, 1), TO_1000, 1)); // altered in between
        telling.reserve(2);
        telling.reserve(2);
        assertThat(heard).containsExactly(UP, TO_1000);
    }

    // Epochs and directions

    @Test
    void a_counter_that_was_set_back_deliberately_is_none() {
        deals(1, 10);
        answers.add(() -> new Reservation(block(1, 10), UP, 2));
        reserver.reserve(10);
        answers.add(() -> new Reservation(block(10, 19), UP, 2));
        assertThatThrownBy(() -> reserver.reserve(10))
                .as("again, in the new epoch")
                .isInstanceOf(Regressed.class);
    }

    @Test
    void a_counter_of_an_older_epoch_is_a_regression_however_far_it_is() {
        answers.add(() -> new Reservation(block(1, 10), UP, 2));
        reserver.reserve(10);
        assertThatThrownBy(() -> deals(1000, 1009)).isInstanceOf(Regressed.class);
    }

    @Test
    void the_later_epoch_is_remembered_whichever_is_answered_first() {
        answers.add(() -> {
            answers.add(() -> new Reservation(block(1, 10), UP, 2));
            reserver.reserve(10);
            return up(500, 509);
        });
        reserver.reserve(10);
        assertThatThrownBy(() -> deals(510, 519)).as("of the old epoch").isInstanceOf(Regressed.class);
        answers.add(() -> new Reservation(block(11, 20), UP, 2));
        reserver.reserve(10);
    }

    @Test
    void downwards_it_is_the_other_way_round() {
        dealsDown(-1, 10, 1);
        dealsDown(-11, 10, 1);
        assertThatThrownBy(() -> dealsDown(-20, 10, 1))
                .isInstanceOf(Regressed.class)
                .hasMessageContaining("the store dealt -20 after -20");
        assertThatThrownBy(() -> dealsDown(5, 1, 1)).isInstanceOf(Regressed.class);
        dealsDown(-21, 1, 1);
    }

    @Test
    void a_counter_that_was_turned_round_goes_on_in_its_new_direction() {
        deals(1, 10);
        dealsDown(9, 3, 2);
        dealsDown(6, 3, 2);
        assertThatThrownBy(() -> dealsDown(7, 1, 2)).isInstanceOf(Regressed.class);
    }

    // What is given back

    @Test
    void what_was_given_back_may_be_dealt_again() {
        reserver = over(new Taking());
        deals(1, 10);
        assertThat(reserver.giveBack(block(4, 10), 1)).isTrue();
        assertThat(deals(4, 13)).isEqualTo(block(4, 13));
        assertThatThrownBy(() -> deals(13, 14)).isInstanceOf(Regressed.class);
    }

    @Test
    void what_the_store_does_not_take_back_stays_seen() {
        reserver = over(new Taking());
        deals(1, 10);
        takesBack = false;
        assertThat(reserver.giveBack(block(4, 10), 1)).isFalse();
        assertThatThrownBy(() -> deals(4, 13)).isInstanceOf(Regressed.class);
    }

    @Test
    void a_store_without_a_catalogue_takes_nothing_back() {
        deals(1, 10);
        assertThat(reserver.giveBack(block(4, 10), 1)).isFalse();
        assertThatThrownBy(() -> deals(4, 13)).isInstanceOf(Regressed.class);
    }

    @Test
    void what_was_under_way_while_values_were_given_back_may_bring_them_again() {
        reserver = over(new Taking());
        deals(1, 10);
        answers.add(() -> {
            assertThat(reserver.giveBack(block(4, 10), 1)).isTrue();
            return up(4, 4);
        });
        assertThat(reserver.reserve(1)).isEqualTo(up(4, 4));
    }

    @Test
    void a_giving_back_counts_before_it_takes_effect_since_its_answer_may_be_lost_or_late() {
        reserver = over(new Taking());
        deals(1, 10);
        answers.add(() -> {
            assertThatThrownBy(() -> reserver.giveBack(block(4, 10), 1)).isInstanceOf(CommitOutcomeUnknown.class);
            return up(4, 4);
        });
        givingBack = () -> {
            throw new CommitOutcomeUnknown("s", null);
        };
        assertThat(reserver.reserve(1)).isEqualTo(up(4, 4));
    }

    @Test
    void what_is_sent_while_values_are_given_back_may_bring_them_again() {
        reserver = over(new Taking());
        deals(1, 10);
        List<Block> meanwhile = new ArrayList<>();
        givingBack = () -> meanwhile.add(deals(4, 6)); // the store has them back, but has not answered yet
        assertThat(reserver.giveBack(block(4, 10), 1)).isTrue();
        assertThat(meanwhile).containsExactly(block(4, 6));
    }

    @Test
    void after_an_unknown_outcome_values_may_be_back() {
        reserver = over(new Taking());
        deals(1, 10);
        givingBack = () -> {
            throw new CommitOutcomeUnknown("s", null);
        };
        assertThatThrownBy(() -> reserver.giveBack(block(4, 10), 1)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(deals(4, 13)).isEqualTo(block(4, 13));
    }

    @Test
    void where_nothing_was_given_back_they_stay_seen() {
        reserver = over(new Taking());
        deals(1, 10);
        givingBack = () -> {
            throw new Unavailable("s", "the server is down", null);
        };
        assertThatThrownBy(() -> reserver.giveBack(block(4, 10), 1)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> deals(4, 13)).isInstanceOf(Regressed.class);
    }

    @Test
    void the_store_is_told_which_values_come_back_and_of_which_epoch() {
        List<String> back = new ArrayList<>();
        reserver = over(new Taking() {
            @Override
            public boolean giveBack(String name, Block unused, long epoch) {
                back.add(name + " " + unused.first() + " to " + unused.last() + " of " + epoch);
                return true;
            }
        });
        reserver.giveBack(block(4, 10), 7);
        assertThat(back).containsExactly("s 4 to 10 of 7");
    }

    @Test
    void blocks_go_back_from_the_last_to_the_first() {
        reserver = over(new Taking());
        reserver.putAway(List.of(unused(4, 10, 1), unused(1, 2, 2), unused(11, 20, 1)), true);
        assertThat(told).containsExactly("given back 1 to 2", "given back 11 to 20", "given back 4 to 10");
    }

    @Test
    void once_the_store_takes_nothing_back_the_rest_is_lost_and_it_is_not_asked_again() {
        reserver = over(new Taking());
        int[] asks = {0};
        givingBack = () -> takesBack = ++asks[0] < 2;
        reserver.putAway(List.of(unused(1, 10, 1), unused(11, 20, 1), unused(21, 30, 1)), true);
        assertThat(told).containsExactly("given back 21 to 30", "lost 11 to 20", "lost 1 to 10");
        assertThat(asks[0]).isEqualTo(2);
    }

    @Test
    void values_that_may_not_go_back_are_lost() {
        reserver = over(new Taking());
        givingBack = () -> {
            throw new AssertionError("not asked for");
        };
        reserver.putAway(List.of(unused(4, 10, 1), unused(11, 20, 1)), false);
        assertThat(told).containsExactly("lost 11 to 20", "lost 4 to 10");
    }

    @Test
    void values_that_could_not_go_back_are_lost_or_their_outcome_is_unknown_and_the_cause_is_reported() {
        reserver = over(new Taking());
        Unavailable down = new Unavailable("s", "down", null);
        givingBack = () -> {
            throw down;
        };
        reserver.putAway(List.of(unused(1, 3, 1), unused(4, 10, 1)), true);
        assertThat(told).containsExactly("lost 4 to 10", "failed: " + down.getMessage(), "lost 1 to 3");
        told.clear();
        givingBack = () -> {
            throw new IllegalStateException("broken");
        };
        reserver.putAway(List.of(unused(4, 10, 1)), true);
        assertThat(told).hasSize(2).first().isEqualTo("unknown: 7");
        assertThat(told.get(1)).startsWith("failed: ").contains("the store failed", "broken");
    }

    private static Stock.Unused unused(long first, long last, long epoch) {
        return new Stock.Unused(block(first, last), epoch);
    }

    // Reads

    @Test
    void a_read_shows_the_counter_and_changes_nothing() {
        Taking store = new Taking();
        store.create(UP);
        reserver = over(store);
        assertThat(reserver.read())
                .isEqualTo(SequenceState.fresh(UP, store.describe("s").epoch()));
        assertThat(reserver.readHere(Duration.ZERO)).contains(reserver.read());
        assertThat(told).isEmpty();
    }

    @Test
    void the_store_gets_the_time_that_a_read_here_may_take() {
        List<Duration> limits = new ArrayList<>();
        reserver = over(new Taking() {
            @Override
            public Optional<SequenceState> readHere(String name, Duration atMost) {
                limits.add(atMost);
                return Optional.empty();
            }
        });
        assertThat(reserver.readHere(Duration.ofMillis(30))).isEmpty();
        assertThat(limits).containsExactly(Duration.ofMillis(30));
    }

    @Test
    void a_read_that_fails_is_reported_and_one_here_is_left_to_the_other_way() {
        reserver = over(new Taking()); // without a sequence
        assertThat(reserver.readHere(Duration.ofSeconds(1))).isEmpty();
        assertThat(told).isEmpty();
        assertThatThrownBy(reserver::read).isInstanceOf(NotFound.class);
        assertThat(told).singleElement().asString().startsWith("failed: ");
    }

    @Test
    void an_undeclared_exception_of_a_read_is_a_store_that_failed() {
        reserver = over(new Taking() {
            @Override
            public SequenceState read(String name) {
                throw new IllegalStateException("broken");
            }
        });
        assertThatThrownBy(reserver::read).isInstanceOf(Unavailable.class).hasMessageContaining("broken");
        assertThat(told).singleElement().asString().startsWith("failed: ");
    }

    // Lost answers, and failures

    @Test
    void a_lost_answer_is_followed_by_another_try() {
        lost(2);
        assertThat(deals(21, 30)).isEqualTo(block(21, 30));
        assertThat(asked).containsExactly(10L, 10L, 10L);
        assertThat(told).containsExactly("unknown: 10", "unknown: 10", "reserved 21 to 30 in 0 ms");
    }

    @Test
    void after_three_lost_answers_the_draw_fails_and_can_be_repeated() {
        lost(3);
        assertThatThrownBy(() -> reserver.reserve(10))
                .isInstanceOf(Unavailable.class)
                .hasMessageContainingAll("3 reservations in a row were lost", "draw again")
                .hasCauseInstanceOf(CommitOutcomeUnknown.class);
        assertThat(asked).hasSize(3);
        assertThat(told.subList(0, 3)).containsOnly("unknown: 10");
        assertThat(told)
                .hasSize(4)
                .last()
                .asString()
                .contains("in a row were lost")
                .startsWith("failed: ");
        told.clear();
        lost(2);
        deals(31, 40);
        assertThat(told).as("counted from the start").hasSize(3);
    }

    @Test
    void each_try_is_held_against_what_had_been_seen_when_it_was_sent() {
        deals(1, 10);
        answers.add(() -> {
            deals(11, 20);
            throw new CommitOutcomeUnknown("s", null);
        });
        answers.add(() -> up(11, 20)); // a restored backup
        assertThatThrownBy(() -> reserver.reserve(10)).isInstanceOf(Regressed.class);
    }

    @Test
    void what_was_given_back_between_two_tries_is_no_regression() {
        reserver = over(new Taking());
        deals(1, 10);
        answers.add(() -> {
            reserver.giveBack(block(4, 10), 1);
            throw new CommitOutcomeUnknown("s", null);
        });
        assertThat(deals(4, 10)).isEqualTo(block(4, 10));
    }

    @Test
    void a_failure_is_passed_on_as_it_is_and_told_once() {
        Unavailable down = new Unavailable("s", "down", null);
        fails(down);
        assertThatThrownBy(() -> reserver.reserve(10)).isSameAs(down);
        assertThat(asked).hasSize(1);
        assertThat(told).containsExactly("failed: " + down.getMessage());
    }

    @Test
    void what_a_store_throws_that_it_does_not_declare_says_nothing_of_what_it_has_done() {
        NoSuchElementException broken = new NoSuchElementException("a failure of the store");
        fails(broken);
        assertThatThrownBy(() -> reserver.reserve(10))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("a failure of the store")
                .hasCause(broken);
        assertThat(told).hasSize(2).first().isEqualTo("unknown: 10");
        assertThat(told.get(1)).startsWith("failed: ");
    }

    @Test
    void only_what_a_store_may_throw_says_that_nothing_was_done() {
        assertThat(Reserver.nothingDone(new Unavailable("s", "down", null))).isTrue();
        assertThat(Reserver.nothingDone(new CommitOutcomeUnknown("s", null))).isFalse();
        assertThat(Reserver.nothingDone(new IllegalStateException())).isFalse();
        assertThat(Reserver.nothingDone(new OutOfMemoryError())).isFalse();
    }

    // Immediate draws

    @Test
    void a_store_that_has_to_wait_deals_nothing_at_once() {
        assertThat(reserver.immediate()).isFalse();
        assertThat(reserver.reserveNow(1)).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void a_store_that_deals_at_once_is_guarded_as_any_other() {
        reserver = over(new AtOnce());
        assertThat(reserver.immediate()).isTrue();
        assertThat(dealsNow(1, 10)).contains(up(1, 10));
        assertThat(dealsNow(11, 20)).contains(up(11, 20));
        assertThatThrownBy(() -> dealsNow(20, 29))
                .isInstanceOf(Regressed.class)
                .hasMessageContaining("the store dealt 20 after 20");
        assertThat(told).hasSize(3).last().asString().startsWith("failed: ");
        assertThatThrownBy(() -> deals(1, 10)).as("in the other direction, too").isInstanceOf(Regressed.class);
        deals(21, 30);
        assertThatThrownBy(() -> dealsNow(30, 30)).isInstanceOf(Regressed.class);
    }

    @Test
    void at_once_too_values_that_were_given_back_meanwhile_are_no_regression() {
        reserver = over(new AtOnce());
        deals(1, 10);
        answers.add(() -> {
            reserver.giveBack(block(4, 10), 1);
            return up(4, 4);
        });
        assertThat(reserver.reserveNow(1)).contains(up(4, 4));
    }

    @Test
    void a_store_that_cannot_deal_at_once_just_now_says_so_and_nothing_is_told() {
        reserver = over(new AtOnce());
        assertThat(reserver.reserveNow(10)).isEmpty();
        assertThat(asked).containsExactly(10L);
        assertThat(told).isEmpty();
    }

    @Test
    void an_answer_that_is_lost_at_once_is_told_and_left_to_the_other_way() {
        reserver = over(new AtOnce());
        lost(1);
        assertThat(reserver.reserveNow(10)).isEmpty();
        assertThat(asked).hasSize(1);
        assertThat(told).containsExactly("unknown: 10");
    }

    @Test
    void a_failure_at_once_is_passed_on_and_told() {
        reserver = over(new AtOnce());
        Unavailable down = new Unavailable("s", "down", null);
        fails(down);
        assertThatThrownBy(() -> reserver.reserveNow(10)).isSameAs(down);
        assertThat(told).containsExactly("failed: " + down.getMessage());
        told.clear();
        fails(new StackOverflowError());
        assertThatThrownBy(() -> reserver.reserveNow(10)).isInstanceOf(Unavailable.class);
        assertThat(told).hasSize(2).first().isEqualTo("unknown: 10");
    }

    // What is reported

    @Test
    void what_is_told_is_how_long_the_try_took_that_brought_it() {
        answers.add(() -> {
            timing.passMillis(70);
            throw new CommitOutcomeUnknown("s", null);
        });
        answers.add(() -> {
            timing.passMillis(30);
            return up(1, 10);
        });
        reserver.reserve(10);
        assertThat(told).containsExactly("unknown: 10", "reserved 1 to 10 in 30 ms");
        told.clear();
        reserver = over(new AtOnce());
        answers.add(() -> {
            timing.passMillis(20);
            return up(1, 10);
        });
        reserver.reserveNow(10);
        assertThat(told).containsExactly("reserved 1 to 10 in 20 ms");
    }

    @Test
    void what_a_store_waits_for_it_says_itself() {
        assertThat(StoreFailures.waitedFor(reserver.store(), Duration.ofMillis(400)))
                .isEmpty();
        reserver = over(new Awaiting());
        assertThat(StoreFailures.waitedFor(reserver.store(), Duration.ofMillis(400)))
                .contains("waited 400 ms for a connection, at least 200 ms");
    }

    @Test
    void nine_tenths_and_ninety_nine_hundredths_are_told_when_they_are_crossed() {
        assertThat(warned(TO_1000, 801, 899, 1)).isEmpty();
        assertThat(warned(TO_1000, 801, 900, 1)).containsExactly("left: 100");
        assertThat(warned(TO_1000, 900, 905, 1)).containsExactly("left: 95");
        assertThat(warned(TO_1000, 901, 901, 1)).isEmpty();
        assertThat(warned(TO_1000, 901, 989, 1)).isEmpty();
        assertThat(warned(TO_1000, 901, 990, 1)).containsExactly("left: 10");
        assertThat(warned(TO_1000, 990, 1000, 1)).containsExactly("left: 0");
        assertThat(warned(TO_1000, 991, 1000, 1)).isEmpty();
        assertThat(warned(TO_1000, 1, 1000, 1))
                .as("both thresholds at once, reported once")
                .containsExactly("left: 0");
        assertThat(warned(TO_1000, 1, 10, 1)).isEmpty();
    }

    @Test
    void nine_tenths_are_counted_from_the_end_from_which_the_sequence_comes() {
        SequenceDefinition down = SequenceDefinition.named("s")
                .incrementBy(-1)
                .minValue(1L)
                .maxValue(1000L)
                .build();
        assertThat(warned(down, 200, 102, -1)).isEmpty();
        assertThat(warned(down, 200, 101, -1)).containsExactly("left: 100");
        SequenceDefinition from500 = SequenceDefinition.named("s")
                .startWith(500L)
                .minValue(-999L)
                .maxValue(1000L)
                .build();
        assertThat(warned(from500, 700, 799, 1)).isEmpty();
        assertThat(warned(from500, 700, 800, 1)).containsExactly("left: 200");
    }

    @Test
    void in_steps_what_is_left_are_values_and_not_the_range() {
        SequenceDefinition tens = SequenceDefinition.named("s")
                .incrementBy(10)
                .startWith(10L)
                .minValue(1L)
                .maxValue(1000L)
                .build();
        assertThat(warned(tens, 800, 880, 10)).isEmpty();
        assertThat(warned(tens, 800, 900, 10)).containsExactly("left: 10");
    }

    @Test
    void a_sequence_that_cycles_is_never_nearly_exhausted() {
        SequenceDefinition cycle =
                SequenceDefinition.named("s").maxValue(1000L).cycle(true).build();
        assertThat(warned(cycle, 801, 1000, 1)).isEmpty();
    }

    /** Returns the warnings for a block, if nothing was seen before. */
    private List<String> warned(SequenceDefinition definition, long first, long last, long step) {
        reserver = over(this::answered);
        told.clear();
        answers.add(() -> new Reservation(new Block(first, (last - first) / step + 1, step), definition, 1));
        reserver.reserve(1);
        return told.subList(1, told.size());
    }

    private Block deals(long first, long last) {
        answers.add(() -> up(first, last));
        return reserver.reserve(last - first + 1).block();
    }

    private Optional<Reservation> dealsNow(long first, long last) {
        answers.add(() -> up(first, last));
        return reserver.reserveNow(last - first + 1);
    }

    private void dealsDown(long first, long count, long epoch) {
        Reservation down = new Reservation(new Block(first, count, -1), DOWN, epoch);
        answers.add(() -> down);
        assertThat(reserver.reserve(count)).isSameAs(down);
    }

    private void lost(int times) {
        for (int i = 0; i < times; i++) {
            fails(new CommitOutcomeUnknown("s", null));
        }
    }

    private void fails(Throwable thrown) {
        answers.add(() -> {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        });
    }

    private static Reservation up(long first, long last) {
        return new Reservation(block(first, last), UP, 1);
    }

    private static Block block(long first, long last) {
        return new Block(first, last - first + 1, 1);
    }

    private Reservation answered(String name, long count) {
        assertThat(name).isEqualTo("s");
        asked.add(count);
        return answers.remove().get();
    }

    private Reserver over(SequenceStore store) {
        return new Reserver("s", store, new Listeners(new Telling()), timing);
    }

    /** A store that takes values back, or does not. */
    private class Taking extends ForwardingStore<InMemoryStore> {
        Taking() {
            super(new InMemoryStore());
        }

        @Override
        public Reservation reserve(String name, long count) {
            return answered(name, count);
        }

        @Override
        public Optional<SequenceState> readHere(String name, Duration atMost) {
            return behind.readHere(name, atMost);
        }

        @Override
        public boolean giveBack(String name, Block unused, long epoch) {
            givingBack.run();
            return takesBack;
        }
    }

    private final class AtOnce extends Taking implements ImmediateStore {
        @Override
        public Optional<Reservation> reserveNow(String name, long count) {
            if (answers.isEmpty()) {
                asked.add(count);
                return Optional.empty();
            }
            return Optional.of(answered(name, count));
        }
    }

    private final class Awaiting extends Taking implements AwaitingStore {
        @Override
        public Optional<String> awaits(Duration atLeast) {
            return Optional.of("a connection, at least " + atLeast.toMillis() + " ms");
        }
    }

    private final class Telling implements SequenceListener {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            told.add("reserved " + block.first() + " to " + block.last() + " in " + took.toMillis() + " ms");
        }

        @Override
        public void failed(String sequence, SequenceException failure) {
            told.add("failed: " + failure.getMessage());
        }

        @Override
        public void lost(String sequence, Block values) {
            told.add("lost " + values.first() + " to " + values.last());
        }

        @Override
        public void givenBack(String sequence, Block values) {
            told.add("given back " + values.first() + " to " + values.last());
        }

        @Override
        public void outcomeUnknown(String sequence, long count) {
            told.add("unknown: " + count);
        }

        @Override
        public void nearlyExhausted(String sequence, BigInteger valuesLeft) {
            told.add("left: " + valuesLeft);
        }
    }
}
