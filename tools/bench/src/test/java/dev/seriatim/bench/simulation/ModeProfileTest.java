// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.seriatim.cli.draw.DrawMode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModeProfileTest {

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
        "CONFIRMED, 50, 0.010, 2500",
        "BATCH, 50, 0.010, 5000",
        "ASYNC_BATCH, 50, 0.010, 5000",
        "ADAPTIVE, 10, 0.010, 1000",
    })
    void each_mode_has_a_limit_at_ten_milliseconds_a_reservation(
            DrawMode mode, int callers, double work, double limit) {
        assertThat(ModeProfile.of(mode).limit().perSecond(callers, StoreTimes.of(0.010), work))
                .isEqualTo(limit, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "SYNC, 1, 0, 100",
        "SYNC, 2, 0, 200",
        "SYNC, 50, 0, 500",
        "SYNC, 50, 0.008, 100",
        "GROUPED, 1, 0, 100",
        "GROUPED, 32, 0, 16000",
        "ASYNC, 4, 0, 400",
        "ASYNC, 50, 0, 500",
        "COMBINED, 50, 0, 5000",
        "CONFIRMED, 1, 0, 1000",
        "CONFIRMED, 10, 0.009, 1000",
    })
    void what_does_not_keep_the_row_from_others_overlaps(DrawMode mode, int callers, double work, double limit) {
        StoreTimes store = new StoreTimes(0.010, 0.002, 0.001);
        assertThat(ModeProfile.of(mode).limit().perSecond(callers, store, work)).isEqualTo(limit, within(1e-6));
    }

    @Test
    void no_two_modes_look_the_same() {
        assertThat(Arrays.stream(DrawMode.values())
                        .map(mode -> ModeProfile.of(mode).look()))
                .doesNotHaveDuplicates()
                .hasSameSizeAs(DrawMode.values());
    }
}
