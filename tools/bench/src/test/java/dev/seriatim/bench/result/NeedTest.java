// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.run.Baseline;
import dev.seriatim.cli.draw.DrawMode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The report knows baselines by their names alone: they are those that the benchmark has. */
class NeedTest {

    @ParameterizedTest
    @EnumSource
    void a_baseline_is_not_the_librarys_own(Baseline baseline) {
        assertThat(Need.BASELINES.contains(baseline.name())).isEqualTo(baseline != Baseline.STRIPED);
    }

    @ParameterizedTest
    @EnumSource
    void a_mode_is_none(DrawMode mode) {
        assertThat(Need.BASELINES.contains(mode.name())).isFalse();
    }

    @Test
    void no_two_look_the_same() {
        assertThat(Arrays.stream(Baseline.values()).map(baseline -> Plots.look(baseline.name())))
                .doesNotHaveDuplicates()
                .hasSameSizeAs(Baseline.values());
    }
}
