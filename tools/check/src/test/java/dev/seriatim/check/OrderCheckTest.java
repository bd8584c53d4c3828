// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrderCheckTest {

    private static final long SECOND = 1_000_000_000;

    private final OrderCheck check = new OrderCheck(0);

    /** Reports the only draw of a turn: the next one begins no earlier than this one returned. */
    private static void drew(OrderCheck.Lane lane, long began, long returned, long first, long count) {
        lane.drewOneOfSeveral(began, returned, first, count);
        lane.advance(returned);
    }

    @Test
    void rising_values_one_after_another_are_in_order() {
        drawn(1, 0, 10);
        drawn(2, 11, 20);
        drawn(9, 21, 30);
        assertThat(check.violations()).isZero();
        assertThat(check.examples()).isEmpty();
    }

    @Test
    void a_lower_value_after_a_higher_one_had_returned_is_a_violation() {
        OrderCheck.Lane one = check.open("A", 0);
        OrderCheck.Lane other = check.open("B", 0);
        drew(other, 2 * SECOND, 3 * SECOND, 19, 1);
        drew(one, 0, SECOND, 20, 1);
        one.close();
        other.close();
        assertThat(check.violations()).isOne();
        assertThat(check.examples())
                .containsExactly("19 drawn by B from 2.000000 s, when 20 had been drawn by A by 1.000000 s");
    }

    @Test
    void draws_that_overlap_may_get_their_values_either_way() {
        OrderCheck.Lane one = check.open("A", 0);
        OrderCheck.Lane other = check.open("B", 0);
        drew(one, 0, 10, 2, 1);
        drew(other, 5, 20, 1, 1);
        drew(one, 30, 40, 4, 1);
        drew(other, 30, 40, 3, 1);
        one.close();
        other.close();
        assertThat(check.violations()).isZero();
    }

    @Test
    void a_draw_that_begins_at_the_instant_another_returns_overlaps_it() {
        drawn(2, 0, 10);
        drawn(1, 10, 20);
        assertThat(check.violations()).isZero();
    }

    @Test
    void the_same_value_again_is_a_violation_too() {
        drawn(7, 0, 10);
        drawn(7, 11, 20);
        assertThat(check.violations()).isOne();
    }

    @Test
    void a_long_draw_that_overlaps_both_hides_no_violation_between_them() {
        OrderCheck.Lane slow = check.open("slow", 0);
        OrderCheck.Lane fast = check.open("fast", 0);
        drew(fast, 5, 10, 20, 1);
        drew(fast, 20, 30, 10, 1);
        assertThat(check.violations()).isZero();
        drew(slow, 0, 100, 50, 1);
        fast.close();
        assertThat(check.violations()).isOne();
    }

    @Test
    void every_draw_that_came_too_low_counts_once() {
        drawn(100, 0, 1);
        drawn(1, 2, 3);
        drawn(2, 4, 5);
        drawn(101, 6, 7);
        assertThat(check.violations()).isEqualTo(2);
    }

    @Test
    void several_numbers_of_one_draw_count_as_one_draw_up_to_the_last_of_them() {
        OrderCheck.Lane lane = check.open("A", 0);
        drew(lane, 0, 1, 10, 5);
        drew(lane, 2, 3, 14, 5);
        drew(lane, 4, 5, 19, 1);
        lane.close();
        assertThat(check.violations()).isOne();
    }

    @Test
    void the_lowest_numbers_that_there_are_have_an_order_too() {
        drawn(Long.MIN_VALUE, 0, 1);
        drawn(Long.MIN_VALUE, 2, 3);
        drawn(Long.MAX_VALUE, 4, 5);
        assertThat(check.violations()).isOne();
    }

    @Test
    void a_draw_is_final_once_every_open_lane_has_reported_up_to_its_beginning() {
        OrderCheck.Lane hung = check.open("hung", 0);
        OrderCheck.Lane lane = check.open("A", 0);
        drew(lane, 1, 2, 9, 1);
        drew(lane, 5, 6, 8, 1);
        assertThat(check.violations()).isZero();
        hung.advance(4);
        assertThat(check.violations()).isZero();
        hung.advance(5);
        assertThat(check.violations()).isOne();
        assertThat(check.kept()).isOne();
    }

    @Test
    void a_lane_that_is_closed_keeps_nothing_back() {
        OrderCheck.Lane killed = check.open("killed", 0);
        OrderCheck.Lane lane = check.open("A", 0);
        drew(lane, 1, 2, 9, 1);
        drew(lane, 5, 6, 8, 1);
        killed.close();
        assertThat(check.violations()).isOne();
        assertThatThrownBy(() -> drew(killed, 7, 8, 10, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_lane_that_opens_after_all_others_closed_is_compared_with_them() {
        drawn(9, 0, 1);
        assertThat(check.violations()).isZero();
        drawn(8, 2, 3);
        assertThat(check.violations()).isOne();
    }

    @Test
    void a_lane_that_starts_before_what_is_final_is_refused() {
        drawn(9, 10, 11);
        assertThat(check.violations()).isZero();
        assertThatThrownBy(() -> check.open("late", 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("lane late starts 0.000000 s before");
    }

    @Test
    void a_report_that_contradicts_the_ones_before_is_refused() {
        OrderCheck.Lane lane = check.open("A", 0);
        drew(lane, 5, 6, 1, 1);
        assertThatThrownBy(() -> drew(lane, 5, 8, 2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> drew(lane, 9, 8, 2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> drew(lane, 9, 10, 2, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> drew(lane, 9, 10, Long.MAX_VALUE, 2)).isInstanceOf(IllegalArgumentException.class);
        lane.advance(20);
        assertThatThrownBy(() -> drew(lane, 19, 21, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_is_kept_stays_small_while_every_lane_reports() {
        OrderCheck.Lane one = check.open("A", 0);
        OrderCheck.Lane other = check.open("B", 0);
        long most = 0;
        for (long i = 0; i < 200_000; i++) {
            drew(one, 10 * i, 10 * i + 7, 2 * i, 1);
            drew(other, 10 * i + 2, 10 * i + 9, 2 * i + 1, 1);
            most = Math.max(most, check.kept());
        }
        assertThat(check.violations()).isZero();
        assertThat(most).isLessThan(3000);
    }

    @Test
    void a_million_violations_are_counted_and_ten_are_described() {
        OrderCheck.Lane lane = check.open("A", 0);
        for (long i = 0; i <= 1_000_000; i++) {
            drew(lane, 3 * i, 3 * i + 1, -i, 1);
        }
        lane.close();
        assertThat(check.violations()).isEqualTo(1_000_000);
        assertThat(check.examples()).hasSize(10);
    }

    @Test
    void it_agrees_with_comparing_every_draw_with_every_other() {
        long found = 0;
        for (long seed = 0; seed < 6000; seed++) {
            found += agrees(seed);
        }
        assertThat(found).isGreaterThan(10_000);
    }

    /** Plays a history of lanes that open, draw, hang and close, with the reports in a random order, and looks in between. */
    private static long agrees(long seed) {
        Random random = new Random(seed);
        int lanes = 1 + random.nextInt(6);
        int span = 1 + random.nextInt(30);
        List<List<Draw>> draws = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            draws.add(history(random, span));
        }
        OrderCheck check = new OrderCheck(0);
        List<Reporter> reporters = new ArrayList<>();
        for (List<Draw> history : draws) {
            reporters.add(new Reporter(check.open("lane " + reporters.size(), history.get(0).began), history));
        }
        long seen = 0;
        while (!reporters.isEmpty()) {
            Reporter reporter = reporters.get(random.nextInt(reporters.size()));
            if (!reporter.reports(random)) {
                reporters.remove(reporter);
            }
            if (random.nextInt(3) == 0) {
                long now = check.violations();
                assertThat(now).as("seed %d", seed).isGreaterThanOrEqualTo(seen);
                seen = now;
            }
        }
        List<Draw> all = draws.stream().flatMap(List::stream).toList();
        long expected = all.stream()
                .filter(late -> all.stream()
                        .anyMatch(early -> early.returned < late.began && early.first + early.count - 1 >= late.first))
                .count();
        assertThat(check.violations()).as("seed %d", seed).isEqualTo(expected);
        return expected;
    }

    private record Draw(long began, long returned, long first, int count, boolean oneOfSeveral) {}

    private static List<Draw> history(Random random, int span) {
        List<Draw> history = new ArrayList<>();
        long time = random.nextInt(20);
        int draws = 1 + random.nextInt(40);
        for (int i = 0; i < draws; i++) {
            long began = time + random.nextInt(3);
            long returned = began + random.nextInt(span);
            int several = random.nextInt(4) == 0 ? 3 : 0;
            for (int one = 0; one < several; one++) {
                history.add(draw(random, began, returned, true));
            }
            history.add(draw(random, began, returned, false));
            time = returned;
        }
        return history;
    }

    private static Draw draw(Random random, long began, long returned, boolean oneOfSeveral) {
        return new Draw(began, returned, began + random.nextInt(20), 1 + random.nextInt(3), oneOfSeveral);
    }

    private static final class Reporter {

        private final OrderCheck.Lane lane;
        private final List<Draw> history;
        private int next;

        private Reporter(OrderCheck.Lane lane, List<Draw> history) {
            this.lane = lane;
            this.history = history;
        }

        /** Reports something, and returns whether there is more. */
        private boolean reports(Random random) {
            int burst = random.nextInt(5);
            for (int i = 0; i < burst && next < history.size(); i++) {
                Draw draw = history.get(next++);
                if (draw.oneOfSeveral) {
                    lane.drewOneOfSeveral(draw.began, draw.returned, draw.first, draw.count);
                } else {
                    drew(lane, draw.began, draw.returned, draw.first, draw.count);
                }
            }
            if (next == history.size()) {
                lane.close();
                return false;
            }
            if (random.nextBoolean()) {
                lane.advance(history.get(next).began);
            }
            return true;
        }
    }

    private void drawn(long value, long began, long returned) {
        OrderCheck.Lane lane = check.open("A", began);
        drew(lane, began, returned, value, 1);
        lane.close();
    }
}
