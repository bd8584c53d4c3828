// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.run.Contender;
import dev.seriatim.cli.draw.DrawMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The report knows baselines by their names alone: they are those that the benchmark has. */
class NeedTest {

    private static List<String> baselines() {
        return Contender.all().stream()
                .filter(contender -> !contender.drawsFromTheSequence())
                .map(Contender::name)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("baselines")
    void a_baseline_is_not_the_librarys_own(String baseline) {
        assertThat(Need.BASELINES.contains(baseline)).isEqualTo(!baseline.equals("STRIPED"));
    }

    @ParameterizedTest
    @EnumSource
    void a_mode_is_none(DrawMode mode) {
        assertThat(Need.BASELINES.contains(mode.name())).isFalse();
    }

    @Test
    void no_two_look_the_same() {
        assertThat(baselines().stream().map(Plots::look))
                .doesNotHaveDuplicates()
                .hasSameSizeAs(baselines());
    }
}
