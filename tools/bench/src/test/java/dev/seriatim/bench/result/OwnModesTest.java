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

/** The report knows the library's own modes by their names alone. */
class OwnModesTest {

    private static List<String> baselines() {
        return Contender.all().stream()
                .filter(contender -> !contender.drawsFromTheSequence())
                .map(Contender::name)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("baselines")
    void a_baseline_is_not_the_librarys_own(String baseline) {
        assertThat(Recommendations.isOurs(baseline)).isEqualTo(baseline.equals("STRIPED"));
    }

    @ParameterizedTest
    @EnumSource
    void a_mode_is_the_librarys_own(DrawMode mode) {
        assertThat(Recommendations.isOurs(mode.name())).isTrue();
    }

    @Test
    void no_two_look_the_same() {
        assertThat(baselines().stream().map(Plots::look))
                .doesNotHaveDuplicates()
                .hasSameSizeAs(baselines());
    }
}
