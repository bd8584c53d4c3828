// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogScaleTest {

    @Test
    void equal_ratios_are_equal_distances() {
        LogScale scale = new LogScale(1, 100, 0, 200);
        assertThat(scale.at(1)).isZero();
        assertThat(scale.at(10)).isCloseTo(100, within(1e-9));
        assertThat(scale.at(100)).isCloseTo(200, within(1e-9));
        assertThat(new LogScale(1, 100, 200, 0).at(100)).isCloseTo(0, within(1e-9));
    }

    @Test
    void an_axis_begins_and_ends_at_a_tick_around_all_numbers() {
        LogScale scale = LogScale.around(List.of(303.0, 34114.0), 0, 1);
        assertThat(scale.low()).isEqualTo(200);
        assertThat(scale.high()).isEqualTo(50_000);
        assertThat(scale.ticks(20)).containsExactly(200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4);
        assertThat(scale.ticks(6)).containsExactly(300.0, 1e3, 3e3, 1e4, 3e4);
        assertThat(scale.ticks(3)).containsExactly(1e3, 1e4);
    }

    @Test
    void many_decades_get_a_tick_every_few() {
        assertThat(new LogScale(1e-4, 1e9, 0, 1).ticks(5)).hasSizeBetween(2, 5);
    }

    @Test
    void numbers_that_are_alike_get_room_around_them() {
        LogScale scale = LogScale.around(List.of(1000.0, 1000.0), 0, 1);
        assertThat(scale.at(1000)).isBetween(0.2, 0.8);
        assertThat(scale.ticks(9)).hasSizeGreaterThan(1);
        assertThat(LogScale.along(List.of(8.0), 0, 1).at(8)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void what_has_no_place_is_passed_over() {
        LogScale scale = LogScale.around(List.of(0.0, -3.0, Double.NaN, Double.POSITIVE_INFINITY, 30.0, 60.0), 0, 1);
        assertThat(scale.low()).isEqualTo(20);
        assertThat(scale.high()).isEqualTo(100);
    }

    @Test
    void any_numbers_have_an_axis_with_ticks_on_which_all_lie() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            double first = Math.pow(10, random.nextDouble() * 20 - 8);
            double second = first * Math.pow(10, random.nextDouble() * 3);
            LogScale scale = LogScale.around(List.of(first, second), 0, 1);
            assertThat(scale.at(first)).isBetween(-1e-9, 1.0);
            assertThat(scale.at(second)).isBetween(0.0, 1 + 1e-9);
            assertThat(scale.ticks(40)).hasSizeGreaterThan(1);
        }
    }

    @Test
    void an_axis_from_nothing_is_refused() {
        assertThatThrownBy(() -> new LogScale(0, 10, 0, 1)).hasMessageContaining("from 0.0 to 10.0");
        assertThatThrownBy(() -> new LogScale(10, 10, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
