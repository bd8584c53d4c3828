// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.report.Link;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BenchDocumentTest {

    @Test
    void every_page_stands_alone_and_is_small_enough() {
        Samples.all().forEach((name, sample) -> {
            String page = BenchDocument.html(sample);
            assertThat(page.getBytes(StandardCharsets.UTF_8)).as(name).hasSizeLessThanOrEqualTo(BenchDocument.LARGEST);
            assertThat(page.replaceAll("<a href=\"https?://[^\"]+\"", "<a"))
                    .as(name)
                    .doesNotContain("http:", "https:", "<script", "url(", "NaN", "Infinity");
        });
    }

    @Test
    void the_largest_scenarios_are_shown_with_every_run() {
        assertThat(BenchDocument.html(sample("all"))).doesNotContain("left out to keep this page small");
        assertThat(BenchDocument.html(sample("many")))
                .contains("left out to keep this page small; --json and --csv have all of them");
    }

    @Test
    void it_says_what_was_run_and_on_what() {
        assertThat(BenchDocument.html(sample("mariadb")))
                .contains("<h1>MariaDB 11.8.6</h1>", "21 November 2026, 12:00 UTC", "8 cores", "Java 21.0.9+10")
                .contains("<dt>innodb_flush_log_at_trx_commit<dd>1", "--scenario all --baselines --html report.html")
                .contains("Rows inserted, row by row", "ratio to AUTO_INCREMENT")
                .contains(">emulated sequence</text>", ">(published)</text>")
                .contains("no duplicate, no order violation, no gap, no error", "class=\"checks\"")
                .doesNotContain("Interrupted", "Spanner’s", "DSQL’s", "Couchbase’s");
    }

    @Test
    void the_answer_is_a_table_that_comes_before_the_pictures() {
        String page = BenchDocument.html(sample("spanner"));
        String row = "unique, in order<td class=\"l\">CONFIRMED<td>2\u202f580<td>19.3<td>65.8<td>";
        assertThat(page.indexOf(row)).isBetween(page.indexOf("What do I use?"), page.indexOf("<svg"));
    }

    @Test
    void modes_that_were_not_measured_are_named_with_their_option() {
        assertThat(BenchDocument.html(
                        Samples.of(SampleRun.of("modes", "", "SYNC").made())))
                .contains("unique, in order<td class=\"l\">not measured<td>-")
                .contains("Not measured; add to the command:")
                .contains("<code>--mode BATCH,ASYNC_BATCH,ADAPTIVE,ASYNC,COMBINED,CONFIRMED,GROUPED,POOLED</code>");
    }

    @Test
    void published_figures_link_to_where_they_were_published() {
        Link source = Objects.requireNonNull(BenchDocument.SOURCES.get("Spanner"));
        String link = "<a href=\"" + source.address() + "\" rel=\"noreferrer\" title=\"" + source.text() + "\">";
        assertThat(BenchDocument.html(sample("spanner")))
                .contains("Published figures of Spanner, not of jdbc:mariadb://db.example:3306/app: " + link
                        + source.text())
                .contains("published/s", "published p99", "times published");
        assertThat(BenchDocument.html(sample("arrivals"))).doesNotContain("<a ");
    }

    @Test
    void what_is_read_first_stands_first_in_the_tables_of_figures() {
        assertThat(BenchDocument.html(sample("all")).replaceAll("<th [^>]*>", "<th>"))
                .contains("<th>what<th>values/s<th>p50 ms<th>p99 ms<th>")
                .doesNotContain("<th>what<th>total", "<th>what<tbody>");
    }

    @Test
    void modes_are_compared_with_the_base_of_a_scenario() {
        assertThat(text(
                        insert("ADAPTIVE", 32, 1020), insert("AUTO_INCREMENT", 32, 1000),
                        insert("ADAPTIVE", 64, 1100),
                                insert("AUTO_INCREMENT", 64, 1000).published("AUTO_INCREMENT", 1000),
                        insert("EMULATED", 64, 100).published("emulated", 65), insert("GROUPED", 64, 900)))
                .contains("""
                        Compared with AUTO_INCREMENT
                        mode      experiment               threads  ratio  published
                        ADAPTIVE  10 rows per transaction       64   1.10          -
                        EMULATED  10 rows per transaction       64   0.10       0.07
                        GROUPED   10 rows per transaction       64   0.90          -
                        """);
        assertThat(text(
                        timed("BATCH", 13.6).batchSize(65536).publishedTotal("CACHE=65536", 108),
                        timed("UUID", 12.5).publishedTotal("UUID", 100)))
                .contains("Time compared with UUID")
                .containsPattern("BATCH +bulk insert of 1000 rows +1 +1.09 +1.08");
        assertThat(text(count("one process", "ASYNC", 31_000), count("one process", "STRIPED", 24_800)))
                .contains("Compared with ASYNC")
                .containsPattern("STRIPED +one process +1 +0.80");
        assertThat(text(SampleRun.of("modes", "", "ASYNC"))).doesNotContain("Compared");
    }

    @Test
    void a_broken_promise_fails_the_check() {
        assertThat(text(
                        SampleRun.of("modes", "", "ADAPTIVE").threads(2).duplicates(3),
                        SampleRun.of("modes", "", "SYNC").threads(2)))
                .contains(
                        "2 results from 6 runs, 1 of them ordered and 1 gapless: 3 duplicates (ADAPTIVE at 2 threads).");
    }

    @Test
    void every_sample_is_text_without_figures_that_are_none() {
        Samples.all()
                .forEach((name, sample) -> assertThat(text(sample)).as(name).doesNotContain("NaN", "Infinity", "null"));
    }

    private static String text(SampleRun... runs) {
        return text(Samples.of(Arrays.stream(runs).map(SampleRun::made).toArray(Figures[]::new)));
    }

    private static String text(Measurements measurements) {
        StringWriter text = new StringWriter();
        BenchDocument.summary(measurements, true).print(new PrintWriter(text));
        return text.toString();
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

    @Test
    void runs_that_are_not_offered_have_a_reason() {
        assertThat(BenchDocument.html(sample("spanner")))
                .contains(">Left out<", "<li>POOLED: it has no rows to lay numbers out in</li>");
        assertThat(BenchDocument.html(sample("empty"))).doesNotContain(">Left out<");
    }

    @Test
    void an_interruption_is_a_warning() {
        assertThat(BenchDocument.html(sample("interrupted"))).contains("Interrupted after 1 run; more were planned.");
        assertThat(BenchDocument.html(sample("empty"))).contains("Interrupted after 0 runs", "Nothing was measured.");
    }

    @Test
    void a_failed_check_looks_it() {
        assertThat(BenchDocument.html(sample("missing-figures")))
                .contains("class=\"checks failed\"", "3 duplicates (ADAPTIVE at 4 threads)")
                .contains("2\u202f000 errors (SYNC at 4 threads)");
    }

    @Test
    void what_comes_from_outside_is_text() {
        assertThat(BenchDocument.html(sample("long-names")))
                .contains("An experiment &lt;b&gt;with&lt;/b&gt; a &quot;name&quot;", "&lt;i&gt;because&lt;/i&gt;")
                .doesNotContain("<i>", "<b>with", "alert(1)</");
    }

    @Test
    void the_main_chart_is_a_file() {
        assertThat(BenchDocument.svg(sample("mariadb")))
                .hasValueSatisfying(svg -> assertThat(svg)
                        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
                        .contains("<title id=\"plott\">Rows inserted, 10 rows per transaction</title>", "<style>"));
        assertThat(BenchDocument.svg(sample("spanner")))
                .hasValueSatisfying(svg -> assertThat(svg).contains("with 10 threads"));
        assertThat(BenchDocument.svg(sample("empty"))).isEmpty();
    }

    private static Measurements sample(String name) {
        return Objects.requireNonNull(Samples.all().get(name), name);
    }
}
