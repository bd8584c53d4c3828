// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.memory.InMemoryStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannedComparisonTest {

    private final List<String> order = new ArrayList<>();
    private final List<Measurements> reported = new ArrayList<>();

    @Test
    void rounds_go_forwards_and_backwards_in_turn_and_the_practice_is_not_reported() {
        RunPlan first = plan("A");
        RunPlan second = plan("B");
        int code = session().run(List.of(new PlannedComparison(List.of(first, second), 3, true)));
        assertThat(code).isZero();
        assertThat(order).containsExactly("A", "B", "A", "B", "B", "A", "A", "B");
        assertThat(reported)
                .singleElement()
                .satisfies(all -> assertThat(all.runs())
                        .hasSize(2)
                        .allSatisfy(run -> assertThat(run.rounds()).hasSize(3)));
    }

    @Test
    void the_median_round_is_reported() {
        session().run(List.of(new PlannedComparison(List.of(plan("A")), 5, false)));
        assertThat(reported)
                .singleElement()
                .satisfies(all -> assertThat(all.runs())
                        .singleElement()
                        .satisfies(run -> assertThat(run.valuesPerSecond())
                                .isEqualTo(
                                        run.rounds().stream().sorted().toList().get(2))));
    }

    @Test
    void of_an_even_count_the_lower_one_of_the_two_in_the_middle_is_the_median() {
        session().run(List.of(new PlannedComparison(List.of(plan("A")), 2, false)));
        assertThat(reported.get(0).runs().get(0).valuesPerSecond())
                .isEqualTo(reported.get(0).runs().get(0).rounds().stream()
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElseThrow());
    }

    private Session session() {
        StopSignal stop = new StopSignal();
        Site site = Site.of(new InMemoryStore(), "memory:", null);
        return new Session(
                new PlanRunner(site, stop),
                stop,
                Report.atTheEnd(reported::add),
                new PrintWriter(new StringWriter()),
                "seriatim bench");
    }

    private RunPlan plan(String name) {
        return new RunPlan(new Named(name), 1, 1, 1, Duration.ofNanos(1000), new ClosedLoop(10, 0));
    }

    /** Counts, and notes when it is opened. */
    private final class Named implements Contender {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Iteration iteration(Stage stage) {
            order.add(name);
            return stage.drawing(new java.util.concurrent.atomic.AtomicLong()::incrementAndGet);
        }
    }
}
