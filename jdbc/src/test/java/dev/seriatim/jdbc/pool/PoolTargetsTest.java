// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.dialect.PoolClaim;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which claims ask by key, and which search. */
class PoolTargetsTest {

    private static final PoolClaim.Places PLACES = new PoolClaim.Places(1, 1000);
    private static final OptionalLong SEARCH = OptionalLong.empty();

    private long now;
    private final PoolTargets targets = new PoolTargets(() -> now);

    /** Two claims are in progress, long after the pool was opened. */
    private void concurrent() {
        now += TimeUnit.SECONDS.toNanos(1);
        targets.enter();
        targets.enter();
    }

    private void got(long... places) {
        for (long place : places) {
            assertThat(targets.next(PLACES)).hasValue(place);
            targets.asked(place, true);
        }
    }

    private void search(boolean everywhere, long... places) {
        targets.searches();
        targets.searched(
                LongStream.of(places)
                        .mapToObj(place -> new PoolClaim.Row(place, place))
                        .toList(),
                everywhere);
    }

    @Test
    void concurrent_claims_ask_for_a_place_each_in_order() {
        targets.laidOut(10, 3, 1);
        concurrent();
        got(11, 12, 13);
        assertThat(targets.next(PLACES)).as("none is left").isEqualTo(SEARCH);
    }

    @Test
    void a_claim_that_is_alone_searches_and_so_do_those_after_a_few_alone() {
        targets.laidOut(0, 100, 1);
        concurrent();
        targets.leave();
        targets.leave();
        for (int i = 0; i < PoolTargets.ALONE - 1; i++) {
            targets.enter();
            got(i + 1);
            targets.leave();
        }
        targets.enter();
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
    }

    @Test
    void in_the_first_second_claims_search_but_not_too_many_at_a_time() {
        targets.laidOut(0, 100, 1);
        targets.enter();
        targets.enter();
        for (int i = 0; i < PoolTargets.SEARCHERS; i++) {
            assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
            targets.searches();
        }
        got(1);
        targets.searched(List.of(), true);
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        now += TimeUnit.SECONDS.toNanos(1);
        got(2);
    }

    @Test
    void one_of_many_claims_searches() {
        targets.laidOut(0, 200, 1);
        concurrent();
        for (int i = 1; i <= PoolTargets.CLAIMS_PER_SEARCH; i++) {
            got(i);
        }
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        targets.searches();
        got(65);
        targets.searched(List.of(new PoolClaim.Row(66, 66)), true);
        got(67);
    }

    @Test
    void a_search_that_finds_a_number_below_others_is_followed_by_another() {
        targets.laidOut(0, 200, 1);
        concurrent();
        got(1, 2, 3);
        search(true, 2);
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        search(true, 4);
        got(5);
    }

    @Test
    void while_rollbacks_are_frequent_all_search_until_a_second_has_passed() {
        targets.laidOut(0, 200, 1);
        concurrent();
        got(1, 2, 3);
        search(true, 2);
        search(true, 1);
        search(true, 4);
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        now += TimeUnit.SECONDS.toNanos(1);
        got(5);
    }

    @Test
    void a_rare_rollback_is_not_frequent() {
        targets.laidOut(0, 200, 1);
        concurrent();
        for (int i = 1; i <= PoolTargets.FREQUENT; i++) {
            targets.enter();
            got(i);
            targets.leave();
        }
        search(true, 2);
        search(true, 33);
        got(34);
    }

    @Test
    void a_place_that_another_claim_asks_for_was_not_put_back() {
        targets.laidOut(0, 200, 1);
        concurrent();
        assertThat(targets.next(PLACES)).hasValue(1);
        got(2);
        search(true, 1);
        got(3);
    }

    @Test
    void what_a_search_has_passed_is_no_target_any_more_unless_it_began_above() {
        targets.laidOut(0, 200, 1);
        concurrent();
        search(false, 5);
        got(1);
        search(true, 8);
        got(9);
    }

    @Test
    void a_target_that_is_gone_is_not_given_again() {
        targets.laidOut(0, 200, 1);
        concurrent();
        assertThat(targets.next(PLACES)).hasValue(1);
        targets.asked(1, false);
        got(2);
    }

    @Test
    void places_that_rest_and_places_passed_for_good_are_no_targets() {
        targets.laidOut(0, 10, 1);
        concurrent();
        assertThat(targets.next(new PoolClaim.Places(1, 0))).isEqualTo(SEARCH);
        targets.laidOut(10, 10, 8);
        got(8);
    }
}
