// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.memory.InMemoryStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PlannedComparisonTest {

    private final List<String> order = new ArrayList<>();

    @Test
    void rounds_go_forwards_and_backwards_in_turn_and_the_practice_is_not_reported() {
        RunPlan first = plan("A");
        RunPlan second = plan("B");
        Session session = session();
        int code = session.run(List.of(new PlannedComparison(List.of(first, second), 3, true)));
        assertThat(code).isZero();
        assertThat(order).containsExactly("A", "B", "A", "B", "B", "A", "A", "B");
        assertThat(session.measurements().runs())
                .hasSize(2)
                .allSatisfy(run -> assertThat(run.rounds()).hasSize(3));
    }

    @Test
    void the_median_round_is_reported() {
        Session session = session();
        session.run(List.of(new PlannedComparison(List.of(plan("A")), 5, false)));
        assertThat(session.measurements().runs())
                .singleElement()
                .satisfies(run -> assertThat(run.valuesPerSecond())
                        .isEqualTo(run.rounds().stream().sorted().toList().get(2)));
    }

    @Test
    void of_an_even_count_the_lower_one_of_the_two_in_the_middle_is_the_median() {
        Session session = session();
        session.run(List.of(new PlannedComparison(List.of(plan("A")), 2, false)));
        assertThat(session.measurements().runs().get(0).valuesPerSecond())
                .isEqualTo(session.measurements().runs().get(0).rounds().stream()
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElseThrow());
    }

    private Session session() {
        AtomicBoolean stop = new AtomicBoolean();
        Site site = Site.of(new InMemoryStore(), "memory:");
        return new Session(
                new PlanRunner(site, stop),
                stop,
                new TextReport(new PrintWriter(new StringWriter())),
                new PrintWriter(new StringWriter()),
                "seriatim bench");
    }

    private RunPlan plan(String name) {
        return new RunPlan(contender(name), 1, 1, 1, Duration.ofNanos(1000), new ClosedLoop(10, 0), Setting.PLAIN);
    }

    /** Counts, and notes when it is opened. */
    private Contender contender(String name) {
        return new Contender(
                name,
                null,
                ScratchTable.Key.NUMBER,
                stage -> {
                    order.add(name);
                    return stage.drawing(new AtomicLong()::incrementAndGet);
                },
                (site, plan) -> Optional.empty());
    }
}
