// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class RunTableTest {

    /** Feeds have a table of their own. */
    @ParameterizedTest
    @EnumSource(names = "FEEDS", mode = EnumSource.Mode.EXCLUDE)
    void every_table_of_a_scenario_fits_a_terminal_and_has_one_published_column_at_most(Scenario scenario) {
        WorkloadOptions options = new WorkloadOptions();
        new CommandLine(options).parseArgs("--baselines", "--rounds", "3");
        Map<String, List<PlannedComparison>> experiments = scenario.comparisons(options).stream()
                .collect(Collectors.groupingBy(
                        comparison -> comparison.plans().get(0).setting().experiment()));
        assertThat(experiments).isNotEmpty();
        experiments.forEach((experiment, comparisons) -> {
            String headings = new RunTable(comparisons).headings();
            assertThat(headings).hasSizeLessThanOrEqualTo(100).contains("p50 ms", "p99 ms", "threads", "mode");
            assertThat(headings.split("published", -1)).hasSizeLessThanOrEqualTo(2);
        });
    }

    @Test
    void columns_of_less_importance_give_way_where_all_are_too_many() {
        List<PlannedComparison> all = Contender.all().stream()
                .map(contender -> new PlannedComparison(List.of(plan(contender)), 3, false))
                .toList();
        assertThat(new RunTable(all).headings())
                .isEqualTo(
                        "mode             block  threads  values/s  of limit  published/s  rounds   p50 ms   p99 ms   max ms");
        assertThat(new RunTable(all.subList(0, 1)).headings())
                .isEqualTo(
                        "mode  threads  values/s  of limit  published/s  rounds   p50 ms   p90 ms   p99 ms   max ms");
    }

    @Test
    void numbers_have_as_many_digits_as_mean_something() {
        assertThat(Stream.of(0.00003, 0.000181, 0.0123, 0.5, 4.949, 10.0, 99.96, 999.4, 999.9, 1234567.8)
                        .map(RunTable::number))
                .containsExactly(
                        "0.00003", "0.00018", "0.0123", "0.5", "4.95", "10", "100", "999", "1,000", "1,234,568");
        assertThat(RunTable.number(null)).isEqualTo("-");
        assertThat(RunTable.number(0.0)).isEqualTo("0");
        assertThat(RunTable.ratio(Double.POSITIVE_INFINITY)).isEqualTo("-");
    }

    @Test
    void a_line_is_as_wide_as_the_headings_also_for_numbers_from_memory() {
        RunPlan bare = new RunPlan(
                Contender.of(DrawMode.ADAPTIVE), 10, 200, 50, Duration.ZERO, new ClosedLoop(10, 0), Setting.PLAIN);
        RunTable table = new RunTable(List.of(new PlannedComparison(List.of(bare), 1, false)));
        assertThat(table.headings()).contains("threads    values/s");
    }

    private static RunPlan plan(Contender contender) {
        return new RunPlan(contender, 10, 200, 50, Duration.ofMillis(10), new ClosedLoop(10, 0), Setting.PLAIN);
    }
}
