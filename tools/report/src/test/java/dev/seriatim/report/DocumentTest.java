// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DocumentTest {

    private record Mode(
            String name,
            long numbers,
            @Nullable Long committed,
            @Nullable Double rate) {}

    private static Document document() {
        Document document = new Document("verify", "No violation in 3,731 numbers");
        document.line("SQLite <3>").line("").warning("Not all was examined.");
        document.data("took", Duration.ofMillis(1500)).data("problem", null);
        document.section("Modes")
                .lead("Each number is compared with all others.")
                .table(modes(new Mode("SYNC", 3731, null, 12.34), new Mode("POOLED", 5, 1640L, null)));
        document.section("Findings")
                .findings(List.of(new Finding(
                        Finding.Level.ERROR,
                        "orders.id",
                        "behind",
                        List.of("the next value is taken"),
                        new Finding.Remedy("mend", "SELECT setval('s', 5)", true))));
        document.section("Empty").list(List.of());
        document.section("Environment")
                .pageOnly()
                .fact("measured", "Measured", Instant.parse("2026-11-21T12:00:00Z"))
                .fact("end", "Used up on", LocalDate.parse("2030-01-02"))
                .fact("", "Empty", "")
                .paragraph("See ", new Link("the source", "https://example.org/?a&b"), ".");
        return document.outcome("no violation");
    }

    private static Table<Mode> modes(Mode... modes) {
        return new Table<>("modes", "Modes", List.of(modes))
                .column("mode", "mode", Mode::name)
                .column("numbers", "numbers", Mode::numbers)
                .column("committed", "", Mode::committed)
                .column("rate/s", Mode::rate);
    }

    private static String text(Document document) {
        StringWriter text = new StringWriter();
        document.print(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void text_has_aligned_tables_and_findings_and_ends_with_the_outcome() {
        assertThat(text(document()).replace(System.lineSeparator(), "\n")).isEqualTo("""
                SQLite <3>

                Modes
                mode    numbers  rate/s
                SYNC      3,731   12.34
                POOLED        5       -

                Findings
                  orders.id  [behind]
                    the next value is taken
                    mend: SELECT setval('s', 5)

                no violation
                """);
    }

    @Test
    void json_has_data_facts_and_tables_with_a_key() {
        JsonObject json = JsonParser.parseString(document().json()).getAsJsonObject();
        assertThat(json.keySet()).containsExactly("took", "problem", "modes", "measured", "end");
        assertThat(json.get("took").getAsDouble()).isEqualTo(1.5);
        assertThat(json.get("problem").isJsonNull()).isTrue();
        assertThat(json.get("measured").getAsString()).isEqualTo("2026-11-21T12:00:00Z");
        assertThat(json.get("end").getAsString()).isEqualTo("2030-01-02");
        assertThat(json.getAsJsonArray("modes").get(0).toString())
                .isEqualTo("{\"mode\":\"SYNC\",\"numbers\":3731,\"committed\":null}");
    }

    @Test
    void a_page_escapes_text_and_leaves_out_empty_sections() {
        assertThat(document().html())
                .contains("<h1>No violation in 3\u202f731 numbers</h1>", "SQLite &lt;3&gt;")
                .contains("<p class=\"warning\">Not all was examined.</p>")
                .contains("<th scope=\"row\">SYNC<td>3\u202f731<td>12.34", "<th scope=\"row\">POOLED<td>5<td>-")
                .contains("<article class=\"finding error\"><h3>orders.id <small>behind</small></h3>")
                .contains("<pre><code>SELECT setval(&#39;s&#39;, 5)</code></pre>")
                .contains("<dt>Measured<dd>21 November 2026, 12:00 UTC", "<dt>Used up on<dd>2030-01-02")
                .contains(
                        "See <a href=\"https://example.org/?a&amp;b\" rel=\"noreferrer\" title=\"the source\">the source</a>.")
                .doesNotContain("Empty");
    }

    @Test
    void a_page_limits_rows_and_says_how_many_are_left_out() {
        List<Mode> many = new ArrayList<>();
        for (int i = 0; i < 52; i++) {
            many.add(new Mode("m" + i, i, null, null));
        }
        Document document = new Document("verify", "");
        document.section("Modes").table(modes(many.toArray(new Mode[0])).withoutEmptyColumns());
        assertThat(document.html()).contains("m49", "2 more are in the JSON.").doesNotContain("m50", "rate/s");
        assertThat(document.json()).contains("m51");
    }

    @Test
    void a_long_text_in_the_last_column_is_wrapped() {
        Document document = new Document("bench", "");
        document.section("")
                .table(new Table<>("", "", List.of("word ".repeat(30).strip()))
                        .column("what", row -> "x")
                        .column("text", row -> row));
        assertThat(text(document).lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void what_a_terminal_would_obey_is_escaped() {
        Document document = new Document("bench", "").line("a\u001b[2Jb");
        document.section("s").list(List.of("c\nd")).command("e\u202ef");
        assertThat(text(document)).contains("a\\u001b[2Jb", "c\\u000ad", "e\\u202ef");
    }

    @Test
    void values_are_formatted_by_type() {
        assertThat(Value.text(1640.4)).isEqualTo("1,640");
        assertThat(Value.text(0.06249)).isEqualTo("0.0625");
        assertThat(Value.text(Double.NaN)).isEqualTo("-");
        assertThat(Value.text(Duration.ofSeconds(603))).isEqualTo("10 min 3 s");
        assertThat(Value.text(List.of(1L, "b"))).isEqualTo("1, b");
        assertThat(Value.millis(0.0000125)).isEqualTo("12.5 ns");
        assertThat(Value.millis(12_340)).isEqualTo("12.3 s");
        assertThat(Value.counted(1, "process", "processes")).isEqualTo("1 process");
    }
}
