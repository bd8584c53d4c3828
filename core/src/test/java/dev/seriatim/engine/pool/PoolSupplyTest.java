// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.LoneTiming;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.store.AwaitingStore;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * When numbers are laid out, how many, and how long callers wait for them, on one thread, with a clock that the test
 * controls.
 */
@Timeout(60)
class PoolSupplyTest {

    private static final Duration PATIENCE = Duration.ofMillis(400);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private final Exhausted exhausted = new Exhausted(SequenceDefinition.of("s"));
    private final SequenceException down = new Unavailable("s", "connection refused; start the server", null);
    private final LoneTiming timing = new LoneTiming();
    private final List<Long> asked = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private Duration patience = PATIENCE;
    private String awaited = "";
    private long laidOut;
    private LongFunction<Pool.Extent> answer = this::layOut;
    private PoolSupply supply = supply();

    /** A failed assertion while laying out, which the supply takes for a failure of the store. */
    @Nullable
    private AssertionError wrong;

    @AfterEach
    void nothing_was_wrong() {
        assertThat(Thread.interrupted()).isFalse();
        assertThat(timing.locked()).isFalse();
        if (wrong != null) {
            throw wrong;
        }
    }

    @Test
    void a_first_block_is_laid_out_by_one_refill_and_told() {
        supply.refillIfDue();
        supply.refillIfDue();
        assertThat(timing.tasks).hasSize(1);
        timing.run();
        assertThat(asked).containsExactly(64L);
        assertThat(supply.left()).isEqualTo(64);
        assertThat(supply.arrivals).isEqualTo(1);
        assertThat(timing.news).isEqualTo(1);
        assertThat(told).containsExactly("reserved 1 to 64 in 0 ms");
    }

    @Test
    void more_is_laid_out_when_thirty_two_are_left_and_not_before() {
        begin();
        supply.reached = 31;
        supply.refillIfDue();
        assertThat(timing.tasks).isEmpty();
        supply.reached = 32;
        supply.refillIfDue();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void what_is_being_claimed_is_not_left() {
        begin();
        supply.reached = 20;
        supply.claiming = 12;
        assertThat(supply.left()).isEqualTo(32);
        supply.refillIfDue();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void what_callers_wait_for_comes_on_top() {
        begin();
        supply.waiting = 100;
        supply.refillIfDue();
        timing.run();
        assertThat(asked).containsExactly(64L, 164L);
    }

    @Test
    void the_mark_is_twice_what_is_dealt_while_a_refill_is_under_way() {
        answer = count -> {
            timing.passMillis(2000); // the first, which may create the table, says nothing about the others
            return layOut(count);
        };
        begin();
        answer = this::layOut;
        deal(32, 28);
        assertThat(supply.left()).isEqualTo(68);
        supply.refillIfDue();
        assertThat(timing.tasks).isEmpty(); // 2 × 28 are fewer
        claim(12);
        supply.refillIfDue();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void what_callers_have_claimed_are_claiming_and_wait_for_while_a_refill_is_under_way_counts_for_the_mark() {
        begin();
        PoolVisit first = supply.visit();
        first.await(32);
        claims(first, 32, 32);
        assertThat(timing.tasks).as("a refill is under way").hasSize(1);
        PoolVisit claimed = supply.visit();
        claimed.await(10);
        claims(claimed, 10, 42);
        PoolVisit claiming = supply.visit();
        claiming.await(10);
        supply.waiting = 10;
        timing.run();
        supply.waiting = 0;
        claims(claiming, 10, 52);
        claim(15);
        assertThat(supply.left()).isEqualTo(61);
        supply.refillIfDue();
        assertThat(timing.tasks).isEmpty();
        claim(1); // twice the 30 are left
        supply.refillIfDue();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void the_mark_and_the_size_follow_how_long_a_refill_takes() {
        begin();
        answer = count -> {
            timing.passMillis(100);
            return layOut(count);
        };
        deal(32, 28);
        assertThat(told.get(1)).isEqualTo("reserved 65 to 128 in 100 ms");
        deal(40, 20); // the second that takes so long
        supply.refillIfDue(); // 2 × 600/s × 100 ms are more than the 72 left
        timing.run();
        assertThat((double) asked.get(3)).isCloseTo(600 * 0.6, within(20.0)); // what the rate uses up in six refills
    }

    @Test
    void a_first_refill_that_takes_long_makes_the_next_no_larger() {
        answer = count -> {
            timing.passMillis(2000);
            return layOut(count);
        };
        begin();
        timing.passMillis(3000);
        claim(60);
        assertThat(askedAfterAFailure()).isEqualTo(64);
    }

    @Test
    void a_block_that_was_too_small_is_followed_by_one_of_twice_its_size() {
        assertThat(askedAfterABlockOf74For(75)).isEqualTo(2 * 74);
    }

    @Test
    void a_block_that_was_just_large_enough_is_followed_by_a_small_one() {
        assertThat(askedAfterABlockOf74For(74)).isEqualTo(64);
    }

    private long askedAfterABlockOf74For(long waiting) {
        begin();
        supply.waiting = 10;
        supply.refillIfDue();
        answer = count -> {
            supply.waiting = waiting;
            return layOut(count);
        };
        timing.run();
        assertThat(asked).endsWith(74L);
        supply.waiting = 0;
        timing.passMillis(100_000); // only the size of the block still counts
        claim(130);
        return askedAfterAFailure();
    }

    /** Returns the size of the second of two refills, the first of which has failed, though it has measured the rate. */
    private long askedAfterAFailure() {
        answer = failing(down);
        supply.refillIfDue();
        timing.run();
        answer = this::layOut;
        timing.pass(FIRST_PAUSE);
        supply.refillIfDue();
        timing.run();
        return asked.get(asked.size() - 1);
    }

    @Test
    void after_a_failure_it_pauses_and_each_time_longer() {
        answer = failing(down);
        supply.refillIfDue();
        timing.run();
        assertThat(supply.failures).isEqualTo(1);
        assertThat(supply.failure).isSameAs(down);
        assertThat(told).containsExactly("failed: " + down.getMessage());
        pausesFor(FIRST_PAUSE);
        timing.run();
        pausesFor(2 * FIRST_PAUSE);
        answer = this::layOut;
        timing.run();
        supply.reached = 64;
        answer = failing(down);
        supply.refillIfDue();
        timing.run();
        pausesFor(FIRST_PAUSE); // as if it had never failed
    }

    @Test
    void who_waits_does_not_shorten_the_pause() {
        answer = failing(down);
        supply.refillIfDue();
        timing.run();
        supply.waiting = 1;
        pausesFor(FIRST_PAUSE);
    }

    @Test
    void where_there_is_nothing_more_to_have_it_asks_again_only_for_callers() {
        answer = failing(new Exhausted(SequenceDefinition.of("s")));
        supply.refillIfDue();
        timing.run();
        timing.passMillis(10_000);
        supply.refillIfDue();
        assertThat(timing.tasks).isEmpty();
        supply.waiting = 1;
        supply.refillIfDue();
        assertThat(timing.tasks).hasSize(1);
    }

    @Test
    void a_lost_answer_is_news_and_no_failure() {
        answer = failing(new CommitOutcomeUnknown("s", null));
        supply.refillIfDue();
        timing.run();
        assertThat(supply.arrivals).isEqualTo(1);
        assertThat(supply.failures).isZero();
        assertThat(supply.failure).isNull();
        assertThat(told).containsExactly("unknown: 64");
        pausesFor(FIRST_PAUSE);
    }

    @Test
    void numbers_that_others_hold_may_come_back_so_it_looks_again_after_a_pause() {
        begin();
        supply.reached = 64;
        answer = count -> new Pool.Extent(1, 64, null, true);
        supply.refillIfDue();
        timing.run();
        assertThat(supply.allHeld).isTrue();
        assertThat(supply.left()).isZero();
        assertThat(supply.arrivals).isEqualTo(2);
        assertThat(told).hasSize(1);
        pausesFor(FIRST_PAUSE);
        answer = this::layOut;
        timing.run();
        assertThat(supply.allHeld).isFalse();
        supply.reached = laidOut;
        supply.refillIfDue();
        assertThat(timing.tasks).hasSize(1); // no pause any more
    }

    @Test
    void what_others_have_claimed_before_it_began_is_not_left() {
        answer = count -> new Pool.Extent(11, 74, new Block(11, 64, 1), false);
        supply.refillIfDue();
        timing.run();
        assertThat(supply.reached).isEqualTo(10);
        assertThat(supply.left()).isEqualTo(64);
    }

    @Test
    void what_is_known_to_be_claimed_is_not_forgotten() {
        begin();
        supply.reached = 40;
        supply.refillIfDue();
        timing.run();
        assertThat(supply.reached).isEqualTo(40);
        assertThat(supply.left()).isEqualTo(88);
    }

    @Test
    void another_pool_of_the_name_begins_anew() {
        begin();
        supply.reached = 64;
        answer = count -> new Pool.Extent(1, 8, new Block(1, 8, 1), false);
        supply.refillIfDue();
        timing.run();
        assertThat(supply.reached).isZero();
        assertThat(supply.left()).isEqualTo(8);
        assertThat(supply.allHeld).isFalse();
    }

    @Test
    void a_refill_that_hangs_longer_than_patience_holds_up_nobody() {
        answer = count -> {
            timing.pass(PATIENCE.toNanos());
            supply.refillIfDue();
            assertThat(timing.tasks).as("at the very end of its patience").isEmpty();
            timing.pass(1);
            supply.refillIfDue();
            assertThat(timing.tasks).hasSize(1);
            throw down;
        };
        supply.refillIfDue();
        timing.run();
        assertThat(supply.failures).as("the failure of an abandoned refill").isZero();
        assertThat(supply.failure).isNull();
        assertThat(supply.latestFailure)
                .as("why a caller waited until its limit")
                .isSameAs(down);
        answer = this::layOut;
        timing.run();
        assertThat(supply.left()).isEqualTo(64);
    }

    @Test
    void what_a_refill_brings_that_was_abandoned_is_taken_in() {
        answer = count -> {
            timing.pass(PATIENCE.toNanos() + 1);
            supply.refillIfDue();
            timing.tasks.clear();
            return layOut(count);
        };
        supply.refillIfDue();
        timing.run();
        assertThat(supply.left()).isEqualTo(64);
        assertThat(supply.arrivals).isEqualTo(1);
    }

    @Test
    void what_a_refill_finds_that_was_abandoned_is_not_what_the_next_has_failed_with() {
        answer = count -> {
            timing.pass(PATIENCE.toNanos() + 1);
            supply.refillIfDue();
            answer = failing(down);
            timing.run();
            throw exhausted;
        };
        supply.refillIfDue();
        timing.run();
        assertThat(asked).hasSize(2);
        assertThat(supply.failures).isEqualTo(1);
        assertThat(supply.failure).isSameAs(down);
        assertThat(supply.latestFailure).isSameAs(exhausted);
    }

    @Test
    void what_a_refill_brings_that_the_next_has_overtaken_is_not_another_pool() {
        answer = count -> {
            Pool.Extent first = layOut(count);
            timing.pass(PATIENCE.toNanos() + 1);
            supply.refillIfDue();
            answer = this::layOut;
            timing.run();
            supply.reached = 100;
            return first;
        };
        supply.refillIfDue();
        timing.run();
        assertThat(laidOut).isEqualTo(128);
        assertThat(supply.left()).isEqualTo(28);
        assertThat(supply.arrivals).isEqualTo(2);
    }

    @Test
    void a_look_that_finds_what_another_has_laid_out_does_not_say_that_all_is_held() {
        begin();
        supply.reached = 64;
        answer = count -> { // abandoned while it waits for the row, and the next one behind it
            timing.pass(PATIENCE.toNanos() + 1);
            supply.refillIfDue();
            answer = c -> new Pool.Extent(65, 128, null, false);
            Pool.Extent first = layOut(count);
            timing.run();
            return first;
        };
        supply.refillIfDue();
        timing.run();
        assertThat(laidOut).isEqualTo(128);
        assertThat(supply.left()).isEqualTo(64);
        assertThat(supply.allHeld).isFalse();
    }

    @Test
    void a_look_that_was_abandoned_and_finds_no_more_than_the_next_does_not_say_that_they_are_free() {
        begin();
        supply.reached = 64;
        answer = count -> {
            timing.pass(PATIENCE.toNanos() + 1);
            supply.refillIfDue();
            answer = c -> new Pool.Extent(1, 64, null, true);
            timing.run();
            assertThat(supply.allHeld).isTrue();
            return new Pool.Extent(1, 64, null, true);
        };
        supply.refillIfDue();
        timing.run();
        assertThat(supply.arrivals).isEqualTo(3);
        assertThat(supply.allHeld).isTrue();
    }

    @Test
    void a_look_that_finds_nothing_new_does_not_say_that_all_is_held() {
        begin();
        supply.reached = 64;
        // One that was abandoned has answered late, so the store has forgotten what a later one has seen.
        answer = count -> new Pool.Extent(65, 64, null, false);
        PoolVisit visit = supply.visit();
        assertThat(visit.await(1)).isEqualTo(1);
        claims(visit, 0, 64);
        assertThat(supply.allHeld).isFalse();
        assertThat(visit.atTheEnd()).isFalse();
        answer = failing(exhausted);
        assertThatThrownBy(() -> visit.await(1)).isInstanceOf(Exhausted.class);
    }

    @Test
    void a_look_at_the_end_says_that_all_is_held_although_it_finds_more() {
        begin();
        supply.reached = 64;
        answer = count -> new Pool.Extent(65, 72, null, true);
        supply.refillIfDue();
        timing.run();
        assertThat(supply.allHeld).isTrue();
        assertThat(supply.left()).isEqualTo(8);
    }

    @Test
    void who_came_back_short_is_not_at_the_end_while_more_has_arrived_since() {
        begin();
        PoolVisit visit = supply.visit();
        visit.await(64);
        answer = count -> new Pool.Extent(65, 72, null, true);
        supply.waiting = 1;
        supply.refillIfDue();
        timing.run();
        supply.waiting = 0;
        claims(visit, 60, 64);
        assertThat(visit.atTheEnd()).isFalse();
        assertThat(visit.await(4)).isEqualTo(4);
        claims(visit, 4, 72);
        assertThat(visit.atTheEnd()).isFalse();
    }

    @Test
    void one_that_an_abandoned_one_has_overtaken_is_not_another_pool() throws Exception {
        begin();
        supply.reached = 50;
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch wakesUp = new CountDownLatch(1);
        answer = count -> {
            begun.countDown();
            passed(wakesUp);
            return layOut(count);
        };
        supply.refillIfDue();
        CompletableFuture<Void> abandoned = CompletableFuture.runAsync(timing.tasks.remove());
        passed(begun);
        timing.pass(PATIENCE.toNanos() + 1);
        answer = count -> {
            Pool.Extent extent = layOut(count);
            wakesUp.countDown();
            abandoned.join(); // it lays out more, and ends first
            return extent;
        };
        supply.refillIfDue();
        timing.run();
        assertThat(laidOut).isEqualTo(192);
        assertThat(supply.left()).isEqualTo(142);
        assertThat(supply.arrivals).isEqualTo(3);
    }

    private static void passed(CountDownLatch latch) {
        try {
            assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void no_more_than_three_that_hang_are_abandoned_until_one_comes_back() {
        answer = count -> {
            timing.pass(PATIENCE.toNanos() + 1);
            supply.refillIfDue();
            if (asked.size() < 4) {
                timing.run();
            } else {
                assertThat(timing.tasks).as("does not abandon a fourth one").isEmpty();
            }
            return layOut(count);
        };
        supply.refillIfDue();
        timing.run();
        assertThat(asked).hasSize(4);
        // All have ended, so the same number may hang again.
        asked.clear();
        supply.reached = laidOut;
        supply.refillIfDue();
        timing.run();
        assertThat(asked).hasSize(4);
    }

    @Test
    void refills_that_never_begin_are_not_counted_and_run_no_more() {
        for (int i = 0; i < 8; i++) {
            supply.refillIfDue();
            assertThat(timing.tasks).hasSize(i + 1);
            timing.pass(PATIENCE.toNanos() + 1);
        }
        for (int i = 0; i < 7; i++) {
            timing.run();
        }
        assertThat(asked).isEmpty();
        timing.run();
        assertThat(asked).hasSize(1);
    }

    @Test
    void an_executor_that_refuses_is_a_failure_that_is_told() {
        timing.refusal = new RejectedExecutionException("full");
        supply.refillIfDue();
        assertThat(supply.failures).isEqualTo(1);
        assertThat(told).singleElement().asString().contains("the executor rejected this work");
        assertThat(timing.news).isEqualTo(1);
        timing.refusal = null;
        pausesFor(FIRST_PAUSE);
    }

    @Test
    void closing_awaits_the_refill_under_way() {
        supply.refillIfDue();
        supply.close();
        assertThat(asked).hasSize(1);
        assertThat(supply.left()).isEqualTo(64);
        assertThat(timing.news)
                .as("signals by the waiting callers and by the refill")
                .isEqualTo(2);
        supply.waiting = 1;
        supply.refillIfDue();
        assertThat(timing.tasks).isEmpty();
        assertThatThrownBy(supply.shutdown::checkOpen)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'s' is closed");
    }

    @Test
    void closing_takes_no_longer_than_patience() {
        supply.refillIfDue();
        timing.tasks.clear();
        long began = timing.now();
        supply.close();
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos());
    }

    @Test
    void closing_takes_no_time_when_nothing_is_under_way() {
        begin();
        long began = timing.now();
        supply.close();
        assertThat(timing.now()).isEqualTo(began);
    }

    @Test
    void closing_can_be_interrupted_and_keeps_that_in_mind() {
        supply.refillIfDue();
        Thread.currentThread().interrupt();
        supply.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(asked).isEmpty();
    }

    @Test
    void who_finds_enough_claims_at_once() {
        begin();
        PoolVisit visit = supply.visit();
        assertThat(visit.await(64)).isEqualTo(64);
        assertThat(supply.claiming).isEqualTo(64);
        claims(visit, 64, 64);
        assertThat(supply.claiming).isZero();
        assertThat(supply.reached).isEqualTo(64);
        assertThat(visit.atTheEnd()).isFalse();
        assertThat(timing.tasks).as("the claim left too few").hasSize(1);
        visit.end();
        assertThat(told).as("no caller has waited").hasSize(1);
    }

    @Test
    void a_claim_of_an_older_place_moves_nothing_back() {
        begin();
        supply.reached = 40;
        PoolVisit visit = supply.visit();
        visit.await(1);
        claims(visit, 1, 7);
        assertThat(supply.reached).isEqualTo(40);
    }

    @Test
    void who_finds_too_few_waits_for_a_refill_that_brings_them() {
        begin();
        answer = count -> {
            timing.passMillis(30);
            assertThat(supply.waiting).isEqualTo(65);
            return layOut(count);
        };
        PoolVisit visit = supply.visit();
        assertThat(visit.await(65)).isEqualTo(65);
        assertThat(asked).containsExactly(64L, 64L + 65L);
        assertThat(supply.waiting).isZero();
        assertThat(supply.claiming).isEqualTo(65);
        visit.end();
        assertThat(supply.claiming).isZero();
        assertThat(told).endsWith("waited 30 ms");
    }

    @Test
    void who_leaves_without_having_claimed_holds_nothing() {
        begin();
        PoolVisit visit = supply.visit();
        visit.await(10);
        visit.end();
        assertThat(supply.left()).isEqualTo(64);
    }

    @Test
    void a_claim_that_comes_back_short_waits_for_the_next_refill() {
        begin();
        PoolVisit visit = supply.visit();
        visit.await(10);
        claims(visit, 4, 4);
        timing.passMillis(1);
        assertThat(visit.await(6)).isEqualTo(6);
        assertThat(asked).containsExactly(64L, 64L + 6);
        claims(visit, 6, 10);
        visit.end();
        assertThat(told).endsWith("waited 1 ms");
    }

    @Test
    void a_claim_that_comes_back_short_goes_to_the_counter_when_no_refill_arrives() {
        begin();
        PoolVisit visit = supply.visit();
        visit.await(10);
        claims(visit, 4, 4);
        timing.tasks.clear();
        stuck();
        long began = timing.now();
        assertThat(visit.await(6)).as("although 60 are known to be left").isZero();
        assertThat(timing.now() - began).isBetween(PATIENCE.toNanos() / 2, PATIENCE.toNanos());
    }

    @Test
    void who_saw_one_arrive_goes_to_the_counter_when_no_other_does() {
        begin();
        answer = count -> {
            timing.passMillis(20);
            return layOut(10);
        };
        PoolVisit visit = supply.visit();
        assertThat(visit.await(100)).isEqualTo(100);
        claims(visit, 74, 74);
        timing.tasks.clear();
        stuck();
        long began = timing.now();
        assertThat(visit.await(26)).isZero();
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos() / 2);
    }

    @Test
    void who_waits_in_vain_claims_what_is_left_after_half_the_patience() {
        begin();
        supply.reached = 32;
        stuck();
        long began = timing.now();
        PoolVisit visit = supply.visit();
        assertThat(visit.await(50)).isEqualTo(32);
        assertThat(timing.now() - began)
                .isBetween(
                        PATIENCE.toNanos() / 2,
                        PATIENCE.toNanos() / 2 + Duration.ofMillis(100).toNanos());
        assertThat(supply.claiming).isEqualTo(32);
        assertThat(supply.waiting).isZero();
    }

    @Test
    void whoever_has_little_patience_asks_the_counter_while_there_is_time_left() {
        patience = Duration.ofMillis(20);
        supply = supply();
        stuck();
        PoolVisit visit = supply.visit();
        assertThat(visit.await(1)).isZero();
        assertThat(visit.patienceLeft()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void where_no_more_can_be_laid_out_everybody_looks_once_what_was_put_back() {
        allAreHeld();
        stuck();
        PoolVisit visit = supply.visit();
        assertThat(visit.await(3)).isEqualTo(3);
        claims(visit, 1, 64);
        assertThat(visit.atTheEnd()).isTrue();
        long began = timing.now();
        assertThat(visit.await(2)).as("and then waits for news").isZero();
        assertThat(timing.now() - began).isEqualTo(PATIENCE.toNanos() / 2);
    }

    @Test
    void the_counter_is_exhausted_unless_the_pool_holds_the_last_numbers() {
        allAreHeld();
        assertThat(supply.visit().exhausted(exhausted))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("its last numbers are held by transactions that did not end within 400 ms");
        answer = failing(exhausted);
        supply.refillIfDue();
        timing.run();
        assertThat(supply.visit().exhausted(exhausted))
                .as("the last are committed")
                .isSameAs(exhausted);
    }

    @Test
    void a_counter_that_has_no_more_says_nothing_before_anybody_has_looked() {
        nobodyKnows();
        supply.refillIfDue();
        nobodyKnows();
    }

    @Test
    void a_counter_that_has_no_more_says_nothing_of_what_was_laid_out_when_the_next_look_hangs() {
        begin();
        supply.reached = 64;
        answer = count -> {
            nobodyKnows();
            throw exhausted;
        };
        supply.refillIfDue();
        timing.run();
        assertThat(supply.visit().exhausted(exhausted)).isSameAs(exhausted);
    }

    @Test
    void a_counter_that_has_no_more_says_nothing_while_the_executor_refuses_or_looking_fails() {
        timing.refusal = new RejectedExecutionException("full");
        supply.refillIfDue();
        nobodyKnows();
        timing.refusal = null;
        timing.pass(FIRST_PAUSE);
        answer = failing(down);
        supply.refillIfDue();
        timing.run();
        nobodyKnows();
        timing.pass(2 * FIRST_PAUSE);
        answer = failing(new CommitOutcomeUnknown("s", null));
        supply.refillIfDue();
        timing.run();
        nobodyKnows();
    }

    @Test
    void where_nobody_can_look_while_a_caller_is_there_what_was_found_between_two_callers_counts() {
        PoolVisit first = supply.visit();
        supply.refillIfDue();
        Runnable look = timing.tasks.remove();
        assertThat(first.await(1)).isZero();
        assertThat(first.exhausted(exhausted)).isInstanceOf(Overloaded.class);
        first.end();
        answer = failing(exhausted);
        look.run();
        PoolVisit second = supply.visit();
        stuck();
        assertThat(second.await(1)).isZero();
        assertThat(second.exhausted(exhausted)).isSameAs(exhausted);
    }

    @Test
    void what_a_look_has_found_that_was_abandoned_counts() {
        answer = count -> {
            timing.pass(PATIENCE.toNanos() + 1);
            supply.refillIfDue();
            timing.tasks.clear();
            throw exhausted;
        };
        supply.refillIfDue();
        timing.run();
        assertThat(supply.visit().exhausted(exhausted)).isSameAs(exhausted);
    }

    @Test
    void what_a_look_has_found_that_was_abandoned_does_not_count_once_the_next_has_laid_out_numbers() {
        answer = count -> {
            timing.pass(PATIENCE.toNanos() + 1);
            answer = this::layOut;
            supply.waiting = 1;
            supply.refillIfDue();
            timing.run();
            supply.waiting = 0;
            throw exhausted;
        };
        supply.refillIfDue();
        timing.run();
        nobodyKnows();
    }

    @Test
    void a_sequence_that_was_extended_is_not_at_its_end_because_it_once_was() {
        answer = failing(exhausted);
        supply.refillIfDue();
        timing.run();
        answer = this::layOut;
        supply.waiting = 1;
        supply.refillIfDue();
        timing.run();
        supply.waiting = 0;
        nobodyKnows();
    }

    @Test
    void at_the_end_everybody_hears_so_at_once_after_one_look() {
        answer = failing(exhausted);
        long began = timing.now();
        for (int i = 1; i <= 5; i++) {
            PoolVisit visit = supply.visit();
            assertThatThrownBy(() -> visit.await(1)).isInstanceOf(Exhausted.class);
            visit.end();
            assertThat(asked).hasSize(i);
        }
        assertThat(timing.now()).isEqualTo(began);
    }

    @Test
    void who_knows_of_numbers_that_were_held_hears_at_once_that_they_are_committed() {
        allAreHeld();
        answer = failing(exhausted);
        PoolVisit visit = supply.visit();
        assertThat(visit.await(1)).isEqualTo(1);
        claims(visit, 0, 64);
        long began = timing.now();
        assertThatThrownBy(() -> visit.await(1)).isInstanceOf(Exhausted.class);
        assertThat(timing.now()).isEqualTo(began);
    }

    private void nobodyKnows() {
        assertThat(supply.visit().exhausted(exhausted))
                .isInstanceOf(Overloaded.class)
                .hasMessageContainingAll("it could not be checked in time", "roll back and retry")
                .hasCause(exhausted);
    }

    private void allAreHeld() {
        begin();
        supply.reached = 64;
        answer = count -> new Pool.Extent(1, 64, null, true);
        supply.refillIfDue();
        timing.run();
        timing.pass(FIRST_PAUSE);
    }

    @Test
    void who_wants_fewer_than_are_left_by_then_gets_no_more() {
        begin();
        PoolVisit visit = supply.visit();
        visit.await(10);
        visit.claimed(new Pool.Claim(LongStream.rangeClosed(1, 10).boxed().toList(), 10, false));
        supply.reached = 64;
        stuck();
        timing.tasks.add(() -> supply.reached = 40);
        assertThat(visit.await(3)).isEqualTo(3);
    }

    @Test
    void nobody_waits_longer_than_a_second_before_the_counter_is_asked() {
        patience = Duration.ofMinutes(1);
        supply = supply();
        stuck();
        long began = timing.now();
        assertThat(supply.visit().await(1)).isZero();
        assertThat(timing.now() - began)
                .isBetween(
                        TimeUnit.SECONDS.toNanos(1),
                        TimeUnit.SECONDS.toNanos(1) + Duration.ofMillis(100).toNanos());
    }

    @Test
    void the_store_may_take_what_is_left_of_the_patience_and_never_less_than_a_moment() {
        begin();
        PoolVisit visit = supply.visit();
        assertThat(visit.patienceLeft()).isEqualTo(PATIENCE);
        timing.passMillis(150);
        assertThat(visit.patienceLeft()).isEqualTo(Duration.ofMillis(250));
        timing.passMillis(250);
        assertThat(visit.patienceLeft()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void who_waits_hears_of_the_failure_as_an_exception_of_its_own() {
        answer = failing(down);
        PoolVisit visit = supply.visit();
        assertThatThrownBy(() -> visit.await(1))
                .isInstanceOf(Unavailable.class)
                .isNotSameAs(down)
                .hasMessageContaining("connection refused");
        visit.end();
        assertThat(supply.waiting).isZero();
    }

    @Test
    void a_failure_before_a_caller_came_is_not_its_own() {
        answer = failing(down);
        supply.refillIfDue();
        timing.run();
        answer = this::layOut;
        PoolVisit visit = supply.visit();
        assertThat(visit.await(1)).isEqualTo(1);
    }

    @Test
    void who_came_after_it_was_called_for_does_not_hear_that_a_store_refused() {
        answer = count -> {
            answer = this::layOut;
            throw new NotFound("s", "the table");
        };
        supply.refillIfDue();
        timing.pass(1);
        PoolVisit visit = supply.visit(); // by then, it may have been created
        assertThat(visit.await(1)).isEqualTo(1);
        assertThat(asked).hasSize(2);
    }

    @Test
    void who_came_after_it_was_called_for_hears_when_a_store_refuses_again() {
        answer = failing(new NotFound("s", "the table"));
        supply.refillIfDue();
        timing.pass(1);
        PoolVisit visit = supply.visit();
        assertThatThrownBy(() -> visit.await(1)).isInstanceOf(NotFound.class);
        assertThat(asked).hasSize(2);
    }

    @Test
    void who_came_after_it_was_called_for_hears_that_a_store_is_down() {
        answer = failing(down);
        supply.refillIfDue();
        timing.pass(1);
        PoolVisit visit = supply.visit();
        assertThatThrownBy(() -> visit.await(1)).isInstanceOf(Unavailable.class);
        assertThat(asked).hasSize(1);
    }

    @Test
    void a_failure_beside_a_refill_that_has_arrived_is_nobodys() {
        PoolVisit visit = supply.visit();
        supply.refillIfDue();
        timing.tasks.addLast(() -> {});
        answer = count -> {
            supply.failures++;
            supply.failure = down;
            return layOut(count);
        };
        assertThat(visit.await(1)).isEqualTo(1);
    }

    @Test
    void whose_patience_is_over_hears_that_nothing_was_laid_out() {
        stuck();
        PoolVisit visit = supply.visit();
        timing.pass(PATIENCE.toNanos() - 1);
        assertThat(visit.await(1))
                .as("there is a nanosecond left to ask the counter")
                .isZero();
        visit.end();
        PoolVisit late = supply.visit();
        timing.pass(PATIENCE.toNanos());
        assertThatThrownBy(() -> late.await(1))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no numbers were laid out within 400 ms; check that the store runs");
    }

    @Test
    void whose_patience_is_over_hears_what_the_store_waits_for() {
        awaited = "a connection of the pool";
        stuck();
        PoolVisit late = supply.visit();
        timing.pass(PATIENCE.toNanos());
        assertThatThrownBy(() -> late.await(1))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no numbers were laid out, waited 400 ms for a connection of the pool");
    }

    @Test
    void whose_patience_is_over_hears_that_others_were_quicker() {
        begin();
        assertThatThrownBy(() -> shortUntilTheEnd(false))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("no number was left over within 400 ms although more were laid out");
    }

    @Test
    void whose_patience_is_over_hears_that_the_last_numbers_are_held() {
        begin();
        assertThatThrownBy(() -> shortUntilTheEnd(true))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("its last numbers are held by transactions that did not end within 400 ms");
    }

    private void shortUntilTheEnd(boolean held) {
        supply.reached = 64;
        answer = held ? count -> new Pool.Extent(1, 64, null, true) : this::layOut;
        PoolVisit visit = supply.visit();
        for (int i = 0; i < 1000; i++) {
            visit.await(1);
            claims(visit, 0, supply.reached);
            assertThat(visit.atTheEnd()).isEqualTo(held);
            timing.passMillis(1);
        }
    }

    @Test
    void who_is_interrupted_while_waiting_hears_that_and_stays_interrupted() {
        stuck();
        PoolVisit visit = supply.visit();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> visit.await(1)).isInstanceOf(Unavailable.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void who_waits_while_it_is_closed_is_turned_away() {
        stuck();
        PoolVisit visit = supply.visit();
        timing.tasks.add(() -> {
            Thread.currentThread().interrupt(); // so that closing does not wait
            supply.close();
            assertThat(Thread.interrupted()).isTrue();
        });
        long began = timing.now();
        assertThatThrownBy(() -> visit.await(1)).isInstanceOf(IllegalStateException.class);
        assertThat(timing.now()).as("at once").isEqualTo(began);
    }

    /** Lays out the first block. */
    private void begin() {
        supply.refillIfDue();
        timing.run();
    }

    /** Deals {@code before} numbers, which starts a refill, and {@code meanwhile} more while it runs. */
    private void deal(long before, long meanwhile) {
        claim(before);
        supply.refillIfDue();
        claim(meanwhile);
        timing.run();
    }

    private void claim(long count) {
        supply.reached += count;
        supply.claimed += count;
    }

    /** Starts a refill whose task never runs. */
    private void stuck() {
        supply.waiting++;
        supply.refillIfDue();
        supply.waiting--;
        timing.tasks.clear();
    }

    private void pausesFor(long nanos) {
        timing.pass(nanos - 1);
        supply.refillIfDue();
        assertThat(timing.tasks).as("a nanosecond before").isEmpty();
        timing.pass(1);
        supply.refillIfDue();
        assertThat(timing.tasks)
                .as("after %d ms", TimeUnit.NANOSECONDS.toMillis(nanos))
                .hasSize(1);
    }

    private static void claims(PoolVisit visit, int count, long place) {
        visit.claimed(new Pool.Claim(
                LongStream.rangeClosed(place - count + 1, place).boxed().toList(), place, false));
    }

    private Pool.Extent layOut(long count) {
        Block block = new Block(laidOut + 1, count, 1);
        laidOut += count;
        return new Pool.Extent(1, laidOut, block, false);
    }

    private static LongFunction<Pool.Extent> failing(SequenceException failure) {
        return count -> {
            throw failure;
        };
    }

    private PoolSupply supply() {
        Store store = new Store();
        SequenceContext context =
                new SequenceContext("s", new Listeners(new Telling()), timing, timing, patience, () -> {});
        return new PoolSupply(context, store, store);
    }

    /** A store that only lays out. */
    private final class Store implements PoolingStore<Object>, Pool<Object>, AwaitingStore {
        @Override
        public String toString() {
            return "the store";
        }

        @Override
        public Pool<Object> pool(String name) {
            return this;
        }

        @Override
        public Claim claim(Object transaction, int count) {
            throw new UnsupportedOperationException("claims are the test's");
        }

        @Override
        public Extent layOut(long count) {
            asked.add(count);
            try {
                return answer.apply(count);
            } catch (AssertionError e) {
                wrong = e;
                throw e;
            }
        }

        @Override
        public Optional<PoolState> poolState(String name) {
            throw new UnsupportedOperationException("not used here");
        }

        @Override
        public Reservation reserve(Object transaction, String name, long count) {
            throw new UnsupportedOperationException("not used here");
        }

        @Override
        public Optional<String> awaits(Duration atLeast) {
            return awaited.isEmpty() ? Optional.empty() : Optional.of(awaited);
        }
    }

    private final class Telling implements SequenceListener {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            told.add("reserved " + block.first() + " to " + block.last() + " in " + took.toMillis() + " ms");
        }

        @Override
        public void waited(String sequence, Duration howLong) {
            told.add("waited " + howLong.toMillis() + " ms");
        }

        @Override
        public void failed(String sequence, SequenceException failure) {
            told.add("failed: " + failure.getMessage());
        }

        @Override
        public void outcomeUnknown(String sequence, long count) {
            told.add("unknown: " + count);
        }
    }
}
