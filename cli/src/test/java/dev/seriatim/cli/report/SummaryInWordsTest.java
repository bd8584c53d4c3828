// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryInWordsTest {

    @Test
    void each_guarantee_has_its_best_mode_at_the_most_threads() {
        assertThat(said(
                        run("SYNC", 50).perSecond(90).limit(100).published("SYNC", 30),
                        run("GROUPED", 50).perSecond(120).limit(100),
                        run("POOLED", 50).perSecond(600).limit(1000),
                        run("ASYNC", 50).perSecond(300).limit(400).published("ASYNC", 78.1),
                        run("COMBINED", 50).perSecond(1640).limit(2485),
                        run("ASYNC_BATCH", 50).perSecond(3000).limit(5000).published("ASYNC_BATCH", 1622),
                        run("ADAPTIVE", 50).perSecond(4870).limit(4970),
                        run("ADAPTIVE", 10).perSecond(99_999),
                        run("ATOMIC_LONG", 50).perSecond(1e9)))
                .containsExactly(
                        "Unique numbers at 4,870/s (ADAPTIVE, 50 threads), 3.0 times the published asynchronous-batch figure,"
                                + " and 0.98 of what is possible here.",
                        "Ordered numbers at 1,640/s (COMBINED, 50 threads), 21 times the published own-transaction figure,"
                                + " and 0.66 of what is possible here.",
                        "Gapless and ordered numbers at 120/s (GROUPED, 50 threads), 4.0 times the published in-transaction"
                                + " figure, and 1.20 of what is possible here.",
                        "Gapless numbers in parallel at 600/s (POOLED, 50 threads), 20 times the published in-transaction"
                                + " figure, and 0.60 of what is possible here.");
    }

    @Test
    void what_falls_behind_is_said() {
        assertThat(said(run("SYNC", 10).perSecond(17).published("SYNC", 34)))
                .contains(
                        "Gapless and ordered numbers at 17/s (SYNC, 10 threads), only 0.50 of the published in-transaction"
                                + " figure.")
                .contains("Slower than what was published for the same mode: SYNC at 10 threads (0.50).");
    }

    @Test
    void a_mode_that_broke_its_promise_is_not_recommended() {
        List<String> said = said(
                run("ADAPTIVE", 2).perSecond(9000).duplicates(3),
                run("BATCH", 2).perSecond(100));
        assertThat(said.get(0)).startsWith("Promises were broken").contains("3 duplicates (ADAPTIVE at 2 threads)");
        assertThat(said.get(1)).isEqualTo("Unique numbers at 100/s (BATCH, 2 threads).");
    }

    @Test
    void inserted_rows_are_compared_with_those_the_database_numbers() {
        List<String> said = said(
                insert("ADAPTIVE", 1, 90), insert("AUTO_INCREMENT", 1, 100),
                insert("ADAPTIVE", 32, 1020), insert("AUTO_INCREMENT", 32, 1000).published("AUTO_INCREMENT", 1000),
                insert("ADAPTIVE", 64, 1100), insert("AUTO_INCREMENT", 64, 1000).published("AUTO_INCREMENT", 1000),
                insert("EMULATED", 32, 100), insert("GROUPED", 32, 510),
                insert("EMULATED", 64, 100).published("emulated", 65), insert("GROUPED", 64, 900));
        assertThat(said)
                .containsExactly(
                        "Unique numbers, 10 rows per transaction: ADAPTIVE inserts 0.90 of AUTO_INCREMENT's rows at worst"
                                + " (at 1 thread), 1.02 in the median of 3 thread counts; the emulated sequence is published"
                                + " at 0.065 of it at 64 threads; it loses by more than 5 % at 1 thread.",
                        "Gapless and ordered numbers, 10 rows per transaction: GROUPED inserts 5.1 times the rows of the"
                                + " emulated sequence in the transaction, at 32 threads.");
    }

    @Test
    void large_blocks_are_compared_with_uuids() {
        assertThat(said(
                        timed("BATCH", 13.6).batchSize(65536).publishedTotal("CACHE=65536", 108),
                        timed("UUID", 12.5).publishedTotal("UUID", 100),
                        timed("NATIVE", 1).batchSize(65536)))
                .containsExactly(
                        "Bulk insert of 1000 rows: 13.6 ms with cache 65536 and 12.5 ms with UUID, 1.09 of its time,"
                                + " so UUID is the faster one (published: 1.08).");
        assertThat(said(timed("BATCH", 10).batchSize(65536), timed("UUID", 20)))
                .containsExactly(
                        "Bulk insert of 1000 rows: 10 ms with cache 65536 and 20 ms with UUID, 0.50 of its time.");
        assertThat(said(timed("BATCH", 10).batchSize(200), timed("UUID", 20))).isEmpty();
    }

    @Test
    void one_counter_is_told_by_processes() {
        assertThat(said(
                        count("one process", "ASYNC", 31_000).published("increments", 25_000),
                        count("one process", "STRIPED", 24_800),
                        count("two processes", "ASYNC", 44_200),
                        count("two processes", "ADAPTIVE", 1_200_000)))
                .containsExactly(
                        "Single increments of one counter: 31,000/s from one process (1.24 of the published figure), and"
                                + " 44,200/s from two processes.",
                        "From one process, numbers come at 24,800/s striped over 4 counters, only 0.80 times what single"
                                + " increments do.",
                        "From two processes, numbers come at 1,200,000/s by ADAPTIVE, 27 times what single increments do.");
    }

    @Test
    void arrivals_are_told_by_how_long_they_wait() {
        assertThat(said(
                        Run.of("open-loop", "", "ADAPTIVE").arrivals(4000).p50(0.01),
                        Run.of("open-loop", "", "ATOMIC_LONG").arrivals(4000).p50(0.001)))
                .containsExactly("At 4,000 arrivals/s ADAPTIVE serves 99 % within 0.034 ms, and all within 0.11 ms.");
    }

    @Test
    void nothing_measured_is_said() {
        assertThat(SummaryInWords.of(Samples.of())).containsExactly("Nothing was measured.");
    }

    @Test
    void every_sample_is_told_without_figures_that_are_none() {
        Samples.all()
                .forEach((name, sample) -> assertThat(SummaryInWords.of(sample))
                        .as(name)
                        .isNotEmpty()
                        .allSatisfy(sentence ->
                                assertThat(sentence).endsWith(".").doesNotContain("NaN", "Infinity", "null", "\n")));
    }

    private static List<String> said(Run... runs) {
        return SummaryInWords.of(Samples.of(Arrays.stream(runs).map(Run::made).toArray(Figures[]::new)));
    }

    private static Run run(String mode, int threads) {
        return Run.of("spanner", "", mode).threads(threads);
    }

    private static Run insert(String mode, int threads, double perSecond) {
        return Run.of("mariadb", "10 rows per transaction", mode)
                .threads(threads)
                .perSecond(perSecond);
    }

    private static Run timed(String mode, double millis) {
        return Run.of("dsql", "bulk insert of 1000 rows", mode).totalMs(millis);
    }

    private static Run count(String experiment, String mode, double perSecond) {
        return Run.of("couchbase", experiment, mode).perSecond(perSecond);
    }
}
