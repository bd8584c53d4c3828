// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.sql.PoolClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which claims ask by key, and which search. */
class PoolTargetsTest {

    private static final PoolClaim.Places PLACES = new PoolClaim.Places(1, 1000);
    private static final OptionalLong SEARCH = OptionalLong.empty();

    private final PoolTargets targets = new PoolTargets();

    /** Two claims are in progress, long after the pool was opened. */
    private void concurrent() {
        claims(PoolTargets.FIRST);
        targets.enter();
        targets.enter();
    }

    private void claims(int count) {
        for (int i = 0; i < count; i++) {
            targets.enter();
            targets.leave();
        }
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
    void a_slow_search_postpones_no_other() {
        targets.laidOut(0, 200, 1);
        concurrent();
        targets.searches();
        for (int i = 1; i <= PoolTargets.CLAIMS_PER_SEARCH; i++) {
            got(i);
        }
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
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
    void the_first_claims_search_but_not_too_many_at_a_time() {
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
        claims(PoolTargets.FIRST - 1);
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        claims(1);
        got(2);
    }

    @Test
    void while_rollbacks_are_frequent_all_search_until_many_claims_have_found_none() {
        targets.laidOut(0, 200, 1);
        concurrent();
        got(1, 2, 3);
        search(true, 2);
        search(true, 1);
        search(true, 4);
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        claims(PoolTargets.FREQUENT_FOR - 1);
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        claims(1);
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
    void for_numbers_that_others_have_laid_out_below_one_search_follows_another() {
        targets.laidOut(100, 100, 1);
        concurrent();
        got(101, 102, 103);
        search(true, 1);
        search(true, 2);
        assertThat(targets.next(PLACES)).isEqualTo(SEARCH);
        targets.searches();
        got(104);
    }

    /** Against a pool in which others have left numbers below, and into which claims put numbers back. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 30})
    void a_number_put_back_is_passed_over_64_times_at_most_for_each_before_it(int percentPutBack) {
        SplittableRandom random = new SplittableRandom(42);
        NavigableSet<Long> free =
                new TreeSet<>(LongStream.rangeClosed(1, 10_000).boxed().toList());
        Map<Long, Integer> mayBePassedOver = new HashMap<>();
        for (long left = 1; left <= 20; left++) {
            mayBePassedOver.put(left, (int) left * PoolTargets.CLAIMS_PER_SEARCH);
        }
        targets.laidOut(20, 9980, 1);
        concurrent();
        for (int claim = 0; claim < 9000; claim++) {
            claims(1);
            OptionalLong target = targets.next(new PoolClaim.Places(1, 10_000));
            long place = target.orElseGet(free::first);
            if (target.isPresent()) {
                targets.asked(place, free.contains(place));
                mayBePassedOver.replaceAll((below, times) -> below < place ? times - 1 : times);
                assertThat(mayBePassedOver.values()).allMatch(times -> times >= 0);
            } else {
                search(true, place);
            }
            if (free.remove(place)) {
                mayBePassedOver.remove(place);
            }
            if (random.nextInt(100) < percentPutBack) {
                free.add(place);
                mayBePassedOver.put(place, (mayBePassedOver.size() + 1) * PoolTargets.CLAIMS_PER_SEARCH);
            }
        }
        assertThat(mayBePassedOver.keySet()).as("left by others").noneMatch(place -> place <= 20);
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
