// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModeTest {

    @ParameterizedTest
    @CsvSource({
        "SYNC, 50, 0.010, 50",
        "SYNC, 1, 0, 100",
        "GROUPED, 32, 0, 3200",
        "GROUPED, 1000, 0, 12800",
        "POOLED, 10, 0.010, 500",
        "ASYNC, 50, 0.010, 100",
        "ASYNC, 1, 0.010, 50",
        "COMBINED, 50, 0.010, 2500",
        "BATCH, 50, 0.010, 5000",
        "ASYNC_BATCH, 50, 0.010, 5000",
        "ADAPTIVE, 10, 0.010, 1000",
    })
    void each_mode_has_a_limit_at_ten_milliseconds_a_reservation(Mode mode, int callers, double work, double limit) {
        assertThat(mode.limitPerSecond(callers, 0.010, work)).isEqualTo(limit, within(1e-6));
    }

    @Test
    void only_modes_that_deal_from_memory_have_blocks_to_shape() {
        for (Mode mode : Mode.values()) {
            assertThat(mode.hasLowWaterMark()).as("%s", mode).isEqualTo(mode == Mode.ASYNC_BATCH);
            if (mode.hasBatchSize()) {
                assertThat(mode.dealsFromMemory()).isTrue();
            }
        }
        assertThat(Mode.ADAPTIVE.dealsFromMemory()).isTrue();
        assertThat(Mode.POOLED.dealsFromMemory()).isFalse();
    }

    @Test
    void each_promise_is_kept_by_all_who_promise_more() {
        for (Mode mode : Mode.values()) {
            assertThat(Promise.UNIQUE.isKeptBy(
                            mode.promise().ordered(), mode.promise().gapless()))
                    .isTrue();
        }
        assertThat(kept(Promise.ORDERED, Mode.SYNC)).isTrue();
        assertThat(kept(Promise.ORDERED, Mode.POOLED)).isFalse();
        assertThat(kept(Promise.GAPLESS, Mode.POOLED)).isFalse();
        assertThat(kept(Promise.GAPLESS_UNORDERED, Mode.GROUPED)).isTrue();
        assertThat(kept(Promise.GAPLESS_UNORDERED, Mode.ADAPTIVE)).isFalse();
    }

    private static boolean kept(Promise promise, Mode mode) {
        return promise.isKeptBy(mode.promise().ordered(), mode.promise().gapless());
    }
}
