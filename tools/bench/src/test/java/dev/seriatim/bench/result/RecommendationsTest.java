// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.draw.DrawMode;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecommendationsTest {

    @Test
    void each_need_is_answered_by_the_fastest_that_was_measured_at_the_most_threads() {
        assertThat(takes(
                        run("SYNC", 90),
                        run("GROUPED", 120),
                        run("POOLED", 600),
                        run("ASYNC", 300),
                        run("COMBINED", 1640),
                        run("CONFIRMED", 2200),
                        run("BATCH", 3000),
                        run("ASYNC_BATCH", 3100),
                        run("ADAPTIVE", 4870),
                        run("BATCH", 99_999).threads(10),
                        run("ATOMIC_LONG", 1e9)))
                .containsExactly("ADAPTIVE", "CONFIRMED", "GROUPED", "POOLED");
        assertThat(takes(
                        run("SYNC", 90),
                        run("GROUPED", 12),
                        run("POOLED", 60),
                        run("ASYNC", 300),
                        run("COMBINED", 30),
                        run("BATCH", 3000),
                        run("ADAPTIVE", 487)))
                .as("other figures, other answers")
                .containsExactly("BATCH", "ASYNC", "SYNC", "SYNC");
    }

    @Test
    void what_needs_no_settings_is_preferred_where_the_difference_is_noise() {
        assertThat(takes(run("BATCH", 1000).batchSize(200), run("ADAPTIVE", 960))
                        .get(0))
                .isEqualTo("ADAPTIVE");
        assertThat(takes(run("BATCH", 1000).batchSize(200), run("ADAPTIVE", 940))
                        .get(0))
                .isEqualTo("BATCH");
    }

    @Test
    void a_mode_made_for_the_need_is_preferred_where_the_difference_is_noise() {
        assertThat(takes(
                        run("POOLED", 1000),
                        run("COMBINED", 990),
                        run("BATCH", 970).batchSize(200)))
                .containsExactly("BATCH", "COMBINED", "not measured", "POOLED");
        assertThat(takes(run("POOLED", 1000), run("ADAPTIVE", 940)).get(0)).isEqualTo("POOLED");
    }

    @Test
    void what_it_costs_is_what_was_measured() {
        Recommendations.Row best =
                row(0, run("BATCH", 500).label("BATCH, batch size 200").rows(1));
        assertThat(best.use()).isEqualTo("BATCH");
        assertThat(Objects.requireNonNull(best.best()).valuesPerSecond()).isEqualTo(500);
    }

    @Test
    void a_mode_that_broke_its_promise_is_not_recommended() {
        assertThat(takes(run("ADAPTIVE", 9000).duplicates(3), run("BATCH", 100)).get(0))
                .isEqualTo("BATCH");
        Recommendations.Row broken = row(0, run("ADAPTIVE", 9000).duplicates(3));
        assertThat(broken.use()).isEqualTo("none");
        assertThat(broken.reason()).isEqualTo("broke its promise");
        assertThat(broken.best()).isNull();
    }

    @Test
    void modes_that_were_not_measured_are_named() {
        assertThat(row(2, run("ADAPTIVE", 100).rows(1)).use()).isEqualTo("not measured");
        assertThat(of(run("ADAPTIVE", 100)).notMeasured())
                .extracting(DrawMode::name)
                .containsExactly("BATCH", "ASYNC_BATCH", "ASYNC", "COMBINED", "CONFIRMED", "SYNC", "GROUPED", "POOLED");
        assertThat(of(run("SYNC", 1), run("COMBINED", 2), run("ADAPTIVE", 3), run("POOLED", 4))
                        .notMeasured())
                .extracting(DrawMode::name)
                .containsExactly("BATCH", "ASYNC_BATCH", "ASYNC", "CONFIRMED", "GROUPED");
        assertThat(tables("spanner"))
                .allSatisfy(table -> assertThat(table.notMeasured()).isEmpty());
    }

    @Test
    void what_the_store_does_not_offer_was_not_left_out() {
        Measurements measurements = Samples.of(
                "SQLite 3.50.4",
                Stream.of("SYNC", "GROUPED", "ASYNC")
                        .map(mode -> SampleRun.of("spanner", "", mode).made())
                        .toList());
        List<Recommendations.Row> rows = Recommendations.of(measurements).get(0).rows();
        assertThat(rows.get(3).use()).as("gapless, without POOLED").isEqualTo("SYNC");
        assertThat(rows.get(0).use()).isEqualTo("not measured");
    }

    @Test
    void at_a_rate_the_shortest_waits_count() {
        assertThat(takes(
                                run("BATCH", 4000).arrivals(4000).p50(3).batchSize(200),
                                run("ADAPTIVE", 3999).arrivals(4000).p50(1))
                        .get(0))
                .isEqualTo("ADAPTIVE");
    }

    @Test
    void every_scenario_that_answers_most_has_a_table_of_its_own() {
        assertThat(tables("all").stream().map(Recommendations::work))
                .containsExactly(
                        "50 threads, a number for a transaction of 10 ms",
                        "128 threads, a number for a transaction that inserts 1 row");
        assertThat(tables("empty")).isEmpty();
    }

    private static List<Recommendations> tables(String sample) {
        return Recommendations.of(Objects.requireNonNull(Samples.all().get(sample)));
    }

    private static List<String> takes(SampleRun... runs) {
        return of(runs).rows().stream().map(Recommendations.Row::use).toList();
    }

    private static Recommendations.Row row(int need, SampleRun run) {
        return of(run).rows().get(need);
    }

    private static Recommendations of(SampleRun... runs) {
        return Recommendations.of(
                        Samples.of(Arrays.stream(runs).map(SampleRun::made).toArray(Figures[]::new)))
                .get(0);
    }

    private static SampleRun run(String mode, double perSecond) {
        return SampleRun.of("modes", "", mode).threads(50).perSecond(perSecond);
    }
}
