// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sample of measurements, shown by a browser in every way that people look at it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
@Order(1)
class ReportInBrowserTest {

    private static final String SVG = "<svg viewBox=\"0 0 200 100\" width=\"200\" height=\"100\" font-size=\"12\">";

    private @Nullable Reader reader;

    @TempDir
    private Path folder;

    @BeforeAll
    void open() {
        reader = new Reader();
    }

    @AfterAll
    void close() {
        if (reader != null) {
            reader.close();
        }
    }

    static Set<String> samples() {
        return Samples.all().keySet();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void no_label_is_cut_or_overlaps_and_all_is_legible(String name) throws IOException {
        Path file = page(
                name, BenchDocument.html(Objects.requireNonNull(Samples.all().get(name))));
        for (View view : View.values()) {
            assertThat(reader().faults(file, view)).as(name + ", " + view).isEmpty();
        }
    }

    @Test
    void labels_that_overlap_are_seen() throws IOException {
        assertThat(faults(SVG + "<text x=\"20\" y=\"50\">first</text><text x=\"30\" y=\"55\">second</text></svg>"))
                .containsExactly("labels 'first' and 'second' overlap");
        assertThat(faults(SVG + "<text x=\"20\" y=\"50\">first</text><text x=\"20\" y=\"65\">second</text></svg>"))
                .isEmpty();
    }

    @Test
    void a_label_that_is_cut_is_seen() throws IOException {
        assertThat(faults(SVG + "<text x=\"180\" y=\"50\">cut on the right</text></svg>"))
                .containsExactly("label 'cut on the right' is cut off by its plot");
        assertThat(faults(SVG + "<text x=\"10\" y=\"5\">cut above</text></svg>"))
                .containsExactly("label 'cut above' is cut off by its plot");
    }

    @Test
    void small_and_pale_text_is_seen() throws IOException {
        assertThat(faults(SVG + "<text x=\"20\" y=\"50\" font-size=\"8\">small</text></svg>"))
                .containsExactly("label 'small' is 8.0 pixels high");
        assertThat(faults("<p style=\"color:#888\">pale</p>")).containsExactly("text 'pale' has a contrast of 3.54");
        assertThat(faults("<p style=\"opacity:.4\">faint</p>")).hasSize(1);
        assertThat(faults(SVG + "<text x=\"20\" y=\"50\" fill=\"#999\">pale</text></svg>"))
                .hasSize(1);
    }

    @Test
    void a_page_that_is_too_wide_is_seen() throws IOException {
        assertThat(faults("<p style=\"width:500px\">wide</p>"))
                .singleElement()
                .asString()
                .startsWith("the page scrolls sideways");
    }

    @Test
    void a_latency_that_is_scrolled_out_of_sight_is_seen() throws IOException {
        String table = "<div class=\"box\" style=\"overflow:auto\"><table class=\"figures\"><thead><tr><th>"
                + "<div style=\"width:%s\">what</div><th>p50 ms<th>p99 ms</table></div>";
        assertThat(faults(table.formatted("500px")))
                .hasSize(2)
                .allSatisfy(fault -> assertThat(fault).contains("pixels beyond what is seen of its table"));
        assertThat(faults(table.formatted("50px"))).isEmpty();
    }

    @Test
    void a_word_that_is_broken_in_the_answer_is_seen() throws IOException {
        String cell = "<table class=\"words\"><tbody><tr><th style=\"%s\">Gapless, in order</table>";
        assertThat(faults(cell.formatted("overflow-wrap:anywhere;width:1px;max-width:40px")))
                .contains("the word 'Gapless,' is broken");
        assertThat(faults(cell.formatted("width:1px"))).isEmpty();
    }

    @Test
    void a_link_loads_nothing() throws IOException {
        assertThat(faults("<a href=\"https://example.org/\">there</a>")).isEmpty();
        assertThat(faults("<a href=\"javascript:1\">there</a>")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>1</script>",
                "<p onclick=\"1\">p</p>",
                "<img src=\"other.png\">",
                "<style>p{background:url(other.png)}</style>"
            })
    void what_comes_from_elsewhere_is_seen(String markup) throws IOException {
        assertThat(faults("<p>text</p>" + markup)).isNotEmpty();
    }

    private List<String> faults(String body) throws IOException {
        String head = "<!DOCTYPE html><html><head><meta charset=\"utf-8\"></head><body>";
        return reader().faults(Files.writeString(folder.resolve("fault.html"), head + body), View.TELEPHONE);
    }

    private Reader reader() {
        return Objects.requireNonNull(reader, "not open");
    }

    /** Beside its pictures. */
    private static Path page(String name, String page) throws IOException {
        Files.createDirectories(Reader.SCREENSHOTS);
        return Files.writeString(Reader.SCREENSHOTS.resolve(name + ".html"), page);
    }
}
