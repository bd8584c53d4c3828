// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.result.Published;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PublishedFiguresTest {

    private static final ClosedLoop CLOSED = new ClosedLoop(2000, 0);

    @Test
    void the_same_experiment_finds_its_figure() {
        assertThat(perSecond(plan(Contender.of(DrawMode.SYNC), 10, 200, 50))).hasValue(34);
        assertThat(perSecond(plan(Contender.of(DrawMode.ASYNC), 50, 200, 50))).hasValue(78.1);
        assertThat(perSecond(plan(Contender.of(DrawMode.ASYNC_BATCH), 50, 200, 50)))
                .hasValue(1622);
    }

    @Test
    void an_experiment_with_other_settings_has_none() {
        assertThat(perSecond(plan(Contender.of(DrawMode.BATCH), 50, 100, 50))).isEmpty();
        assertThat(perSecond(plan(Contender.of(DrawMode.BATCH), 20, 200, 50))).isEmpty();
        assertThat(perSecond(plan(Contender.of(DrawMode.COMBINED), 50, 200, 50)))
                .isEmpty();
        assertThat(perSecond(new RunPlan(
                        Contender.of(DrawMode.SYNC), 10, 200, 50, Duration.ofMillis(5), CLOSED, Setting.PLAIN)))
                .isEmpty();
    }

    private OptionalDouble perSecond(RunPlan plan) {
        return PublishedFigures.of(plan)
                .map(Published::valuesPerSecond)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }

    private static RunPlan plan(Contender mode, int threads, long size, long mark) {
        return new RunPlan(mode, threads, size, mark, Duration.ofMillis(10), CLOSED, Setting.PLAIN);
    }
}
