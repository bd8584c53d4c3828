// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import org.junit.jupiter.api.Test;

class ContenderTest {

    private static final StoreTimes STORE = new StoreTimes(0.010, 0.010, 0.001);
    private static final double APPLICATION = 0.010;

    @Test
    void in_the_callers_transaction_all_go_one_after_another() {
        assertThat(limit(Contender.of(DrawMode.SYNC), 50)).isEqualTo(50, within(1e-9));
    }

    @Test
    void callers_that_share_a_transaction_share_what_it_costs_but_not_their_own_work() {
        assertThat(limit(Contender.of(DrawMode.GROUPED), 50)).isEqualTo(50 / 0.51, within(1e-9));
        assertThat(Contender.of(DrawMode.GROUPED).limitPerSecond(32, STORE, 0)).isEqualTo(3200, within(1e-9));
        assertThat(Contender.of(DrawMode.GROUPED).limitPerSecond(1000, STORE, 0))
                .isEqualTo(12_800, within(1e-9));
    }

    @Test
    void a_transaction_per_value_is_bounded_by_the_row_or_by_the_threads() {
        assertThat(limit(Contender.of(DrawMode.ASYNC), 50)).isEqualTo(100, within(1e-9));
        assertThat(limit(Contender.of(DrawMode.ASYNC), 1)).isEqualTo(50, within(1e-9));
    }

    @Test
    void combined_callers_are_bounded_by_the_threads() {
        assertThat(limit(Contender.of(DrawMode.COMBINED), 50)).isEqualTo(2500, within(1e-9));
    }

    @Test
    void confirmed_callers_are_bounded_by_the_read() {
        assertThat(limit(Contender.of(DrawMode.CONFIRMED), 50)).isEqualTo(50 / 0.011, within(1e-9));
        assertThat(Contender.of(DrawMode.CONFIRMED).limitPerSecond(50, STORE, 0))
                .isEqualTo(50_000, within(1e-9));
    }

    @Test
    void blocks_cost_nothing_beside_the_application() {
        assertThat(limit(Contender.of(DrawMode.BATCH), 50)).isEqualTo(5000, within(1e-9));
        assertThat(limit(Contender.of(DrawMode.ASYNC_BATCH), 50)).isEqualTo(5000, within(1e-9));
        assertThat(limit(Contender.of(DrawMode.ADAPTIVE), 10)).isEqualTo(1000, within(1e-9));
        assertThat(Contender.of(DrawMode.ADAPTIVE).limitPerSecond(10, STORE, 0)).isInfinite();
    }

    @Test
    void everything_that_is_measured_has_a_limit() {
        for (Contender mode : Contender.all()) {
            assertThat(limit(mode, 10)).as(mode.name()).isPositive();
        }
    }

    private static double limit(Contender mode, int threads) {
        return mode.limitPerSecond(threads, STORE, APPLICATION);
    }
}
