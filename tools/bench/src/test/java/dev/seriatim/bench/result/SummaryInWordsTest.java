// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SummaryInWordsTest {

    @Test
    void what_is_recommended_is_compared_with_published_figures_and_with_its_limit() {
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
                        "Compared with the published figures with 50 threads: ADAPTIVE 3.0 times ASYNC_BATCH,"
                                + " COMBINED 21 times ASYNC, GROUPED 4.0 times SYNC, POOLED 20 times SYNC.",
                        "Share of the limit with 50 threads: ADAPTIVE 0.98, COMBINED 0.66, GROUPED 1.20,"
                                + " POOLED 0.60.");
    }

    @Test
    void what_falls_behind_is_said() {
        assertThat(said(run("SYNC", 10).perSecond(17).published("SYNC", 34)))
                .containsExactly(
                        "Compared with the published figures with 10 threads: SYNC 0.50 times SYNC.",
                        "Slower than published for the same mode: SYNC with 10 threads (0.50).");
    }

    @Test
    void a_promise_that_was_broken_is_said_first() {
        List<String> said = said(
                run("ADAPTIVE", 2).perSecond(9000).duplicates(3),
                run("BATCH", 2).perSecond(100));
        assertThat(said.get(0)).startsWith("Promises were broken").contains("3 duplicates (ADAPTIVE at 2 threads)");
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
                        "Rows of ADAPTIVE over those of AUTO_INCREMENT, median of thread counts: 1.02"
                                + " (10 rows per transaction).",
                        "There ADAPTIVE is more than 5 % slower: 0.90 with 1 thread (10 rows per transaction).",
                        "Rows of GROUPED over those of the emulated sequence: 5.1 with 32 threads"
                                + " (10 rows per transaction).",
                        "Published: rows of the emulated sequence over those of AUTO_INCREMENT: 0.065 with 64 threads"
                                + " (10 rows per transaction).");
    }

    @Test
    void a_comparison_of_several_experiments_is_one_sentence() {
        assertThat(said(
                        insert("EMULATED", 32, 100),
                        insert("GROUPED", 32, 510),
                        SampleRun.of("mariadb", "row by row", "EMULATED")
                                .threads(32)
                                .perSecond(100),
                        SampleRun.of("mariadb", "row by row", "GROUPED")
                                .threads(32)
                                .perSecond(220)))
                .containsExactly("Rows of GROUPED over those of the emulated sequence: 5.1 with 32 threads"
                        + " (10 rows per transaction); 2.2 with 32 threads (row by row).");
    }

    @Test
    void large_blocks_are_compared_with_uuids() {
        assertThat(said(
                        timed("BATCH", 13.6).batchSize(65536).publishedTotal("CACHE=65536", 108),
                        timed("UUID", 12.5).publishedTotal("UUID", 100),
                        timed("NATIVE", 1).batchSize(65536)))
                .containsExactly(
                        "Time of numbers from blocks of 65536 over that of UUID: 1.09 for bulk insert of 1000 rows"
                                + " (published: 1.08).",
                        "UUID is faster for bulk insert of 1000 rows.");
        assertThat(said(timed("BATCH", 10).batchSize(65536), timed("UUID", 20)))
                .containsExactly(
                        "Time of numbers from blocks of 65536 over that of UUID: 0.50 for bulk insert of 1000 rows.");
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
                        "Single increments of one counter: 31,000/s from one process (1.24 times the published figure), and"
                                + " 44,200/s from two processes.",
                        "Striped over 4 counters, compared with that: 0.80 times from one process.",
                        "ADAPTIVE, compared with that: 27 times from two processes.");
    }

    @Test
    void a_sample_with_every_scenario_is_told_in_a_dozen_sentences() {
        assertThat(SummaryInWords.of(Objects.requireNonNull(Samples.all().get("all"))))
                .hasSizeLessThanOrEqualTo(12)
                .allSatisfy(sentence -> assertThat(sentence).hasSizeLessThan(220));
    }

    @Test
    void arrivals_are_told_by_how_long_they_wait() {
        assertThat(said(
                        SampleRun.of("open-loop", "", "ADAPTIVE").arrivals(4000).p50(0.01),
                        SampleRun.of("open-loop", "", "ATOMIC_LONG")
                                .arrivals(4000)
                                .p50(0.001)))
                .containsExactly("ADAPTIVE serves 99 % within 0.034 ms, and all within 0.11 ms.");
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
                        .allSatisfy(sentence ->
                                assertThat(sentence).endsWith(".").doesNotContain("NaN", "Infinity", "null", "\n")));
    }

    private static List<String> said(SampleRun... runs) {
        return SummaryInWords.of(
                Samples.of(Arrays.stream(runs).map(SampleRun::made).toArray(Figures[]::new)));
    }

    private static SampleRun run(String mode, int threads) {
        return SampleRun.of("spanner", "", mode).threads(threads);
    }

    private static SampleRun insert(String mode, int threads, double perSecond) {
        return SampleRun.of("mariadb", "10 rows per transaction", mode)
                .threads(threads)
                .perSecond(perSecond);
    }

    private static SampleRun timed(String mode, double millis) {
        return SampleRun.of("dsql", "bulk insert of 1000 rows", mode).totalMs(millis);
    }

    private static SampleRun count(String experiment, String mode, double perSecond) {
        return SampleRun.of("couchbase", experiment, mode).perSecond(perSecond);
    }
}
