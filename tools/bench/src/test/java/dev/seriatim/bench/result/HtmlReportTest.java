// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

    @Test
    void every_page_stands_alone_and_is_small_enough() {
        Samples.all().forEach((name, sample) -> {
            String page = HtmlReport.of(sample);
            assertThat(page.getBytes(StandardCharsets.UTF_8)).as(name).hasSizeLessThanOrEqualTo(HtmlReport.LARGEST);
            assertThat(page.replaceAll("<a href=\"https?://[^\"]+\"", "<a"))
                    .as(name)
                    .doesNotContain("http:", "https:", "<script", "url(", "NaN", "Infinity");
        });
    }

    @Test
    void the_largest_scenarios_are_shown_with_every_run() {
        assertThat(HtmlReport.of(sample("all"))).doesNotContain("left out to keep this page small");
        assertThat(HtmlReport.of(sample("many")))
                .contains("left out to keep this page small; --json and --csv have all of them");
    }

    @Test
    void it_says_what_was_run_and_on_what() {
        assertThat(HtmlReport.of(sample("mariadb")))
                .contains("<h1>MariaDB 11.8.6</h1>", "21 November 2026, 12:00 UTC", "8 cores", "Java 21.0.9+10")
                .contains("<dt>innodb_flush_log_at_trx_commit<dd>1", "--scenario all --baselines --html report.html")
                .contains("Rows inserted, row by row", "ratio to AUTO_INCREMENT", "emulated sequence (published)")
                .contains("no duplicate, no order violation, no gap, no error", "class=\"checks\"")
                .doesNotContain("Interrupted", "Spanner’s", "DSQL’s", "Couchbase’s");
    }

    @Test
    void the_answer_is_a_table_that_comes_before_the_pictures() {
        String page = HtmlReport.of(sample("spanner"));
        String row = "<b>Unique, in order</b><small>a later draw gets a higher number; gaps are fine</small>"
                + "<td><b>CONFIRMED</b><td>2\u202f580 numbers/s, p50 19.3 ms, p99 65.8 ms";
        assertThat(page.indexOf(row)).isBetween(page.indexOf("What do I use?"), page.indexOf("<svg"));
    }

    @Test
    void what_was_not_measured_is_told_with_its_command() {
        assertThat(HtmlReport.of(Samples.of(SampleRun.of("modes", "", "SYNC").made())))
                .contains("<td>not measured<td>measure it: <code><span>seriatim</span> <span>bench</span>"
                        + " <span>--store</span> <span class=\"long\">jdbc:mariadb://db.example:3306/app</span>"
                        + " <span>--mode</span> <span class=\"long\">ASYNC,COMBINED,CONFIRMED</span>")
                .contains("Not measured: GROUPED. Measure them:");
    }

    @Test
    void published_figures_link_to_where_they_were_published() {
        String page = HtmlReport.of(sample("spanner"));
        String link = "<a href=\"" + Publication.SPANNER.address() + "\" rel=\"noreferrer\" title=\""
                + Publication.SPANNER.title() + "\">";
        assertThat(page)
                .contains("Published figures: " + link + Publication.SPANNER.title())
                .contains("Compared with the " + link + "published figures</a> with 50 threads: ")
                .contains("<th>" + link + "published/s</a>", "<th>" + link + "published p99</a>");
        assertThat(HtmlReport.of(sample("arrivals"))).doesNotContain("<a ");
    }

    @Test
    void what_is_read_first_stands_first_in_the_tables_of_figures() {
        assertThat(HtmlReport.of(sample("all")))
                .contains("<th>what<th class=\"n\">threads<th>values/s<th>p50 ms<th>p99 ms<th>")
                .doesNotContain("<th>what<th>");
    }

    @Test
    void what_was_left_out_is_told_with_its_reason() {
        assertThat(HtmlReport.of(sample("spanner")))
                .contains(">Left out<", "<li>POOLED: it has no rows to lay numbers out in</li>");
        assertThat(HtmlReport.of(sample("empty"))).doesNotContain(">Left out<");
    }

    @Test
    void an_interruption_is_told() {
        assertThat(HtmlReport.of(sample("interrupted"))).contains("Interrupted: 1 run was measured");
        assertThat(HtmlReport.of(sample("empty")))
                .contains("Interrupted: 0 runs were measured", "Nothing was measured.");
    }

    @Test
    void a_check_that_failed_is_told_and_looks_it() {
        assertThat(HtmlReport.of(sample("missing-figures")))
                .contains("class=\"checks failed\"", "3 duplicates (ADAPTIVE at 4 threads)")
                .contains("2\u202f000 errors (SYNC at 4 threads)");
    }

    @Test
    void what_comes_from_outside_is_text() {
        assertThat(HtmlReport.of(sample("long-names")))
                .contains("An experiment &lt;b&gt;with&lt;/b&gt; a &quot;name&quot;", "&lt;i&gt;because&lt;/i&gt;")
                .doesNotContain("<i>", "<b>with", "alert(1)</");
    }

    @Test
    void the_picture_that_says_most_is_a_file_of_its_own() {
        assertThat(PictureReport.of(sample("mariadb")))
                .hasValueSatisfying(svg -> assertThat(svg)
                        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
                        .contains("<title id=\"plott\">Rows inserted, 10 rows per transaction</title>", "<style>"));
        assertThat(PictureReport.of(sample("spanner")))
                .hasValueSatisfying(svg -> assertThat(svg).contains("with 10 threads"));
        assertThat(PictureReport.of(sample("empty"))).isEmpty();
    }

    private static Measurements sample(String name) {
        return Objects.requireNonNull(Samples.all().get(name), name);
    }
}
