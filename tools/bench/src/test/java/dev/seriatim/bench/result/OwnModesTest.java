// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.run.Baseline;
import dev.seriatim.cli.draw.DrawMode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The report knows the library's own modes by their names alone. */
class OwnModesTest {

    @ParameterizedTest
    @EnumSource
    void a_baseline_is_not_the_librarys_own(Baseline baseline) {
        assertThat(Recommendations.isOurs(baseline.name())).isEqualTo(baseline == Baseline.STRIPED);
    }

    @ParameterizedTest
    @EnumSource
    void a_mode_is_the_librarys_own(DrawMode mode) {
        assertThat(Recommendations.isOurs(mode.name())).isTrue();
    }

    @Test
    void no_two_look_the_same() {
        assertThat(Arrays.stream(Baseline.values()).map(baseline -> Plots.look(baseline.name())))
                .doesNotHaveDuplicates()
                .hasSameSizeAs(Baseline.values());
    }
}
