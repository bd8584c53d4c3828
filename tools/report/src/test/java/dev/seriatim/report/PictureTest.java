// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class PictureTest {

    private static final Look LOOK = new Look(1, Mark.CIRCLE);
    private static final LinePlot LINES = new LinePlot(
            "threads",
            "rows per second",
            List.of(
                    new Series("ours & <theirs>", LOOK, false, points(1, 100, 2, 200, 4, 0)),
                    new Series("theirs", new Look(2, Mark.CROSS), true, points(1, 50, 2, Double.NaN)),
                    new Series("nothing", LOOK, false, points(1, 0))),
            200);

    @Test
    void a_file_is_xml_with_a_title_and_a_description_and_nothing_from_elsewhere() throws Exception {
        String file = new Picture("Rows & more", "What is \"seen\"", LINES).asFile();
        Document parsed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(file)));
        Element svg = parsed.getDocumentElement();
        assertThat(svg.getNodeName()).isEqualTo("svg");
        assertThat(svg.getAttribute("role")).isEqualTo("img");
        assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("Rows & more");
        assertThat(svg.getElementsByTagName("desc").item(0).getTextContent()).isEqualTo("What is \"seen\"");
        assertThat(file.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http", "url(", "<script");
    }

    @Test
    void what_cannot_be_shown_is_left_out() {
        assertThat(LINES.series()).hasSize(2);
        assertThat(LINES.series().get(0).points()).hasSize(2);
        String drawn = LINES.draw(Size.WIDE).elements();
        assertThat(drawn).contains("ours &amp; &lt;theirs&gt;").doesNotContain("nothing", "NaN", "Infinity");
        assertThat(drawn).contains("class=\"mark c2 quoted\"");
    }

    @Test
    void a_plot_of_nothing_is_empty() {
        assertThat(new LinePlot("x", "y", List.of(new Series("a", LOOK, false, List.of())), 100).isEmpty())
                .isTrue();
        List<RowPlot.Column> column = List.of(new RowPlot.Column("measured", Mark.CIRCLE, false));
        List<RowPlot.Row> row = List.of(new RowPlot.Row("a", Arrays.asList((Double) null)));
        assertThat(new RowPlot("x", column, row, RowPlot.Joint.STEM).isEmpty()).isTrue();
    }

    @Test
    void a_row_shows_a_dash_where_it_has_no_figure() {
        List<RowPlot.Column> columns = List.of(
                new RowPlot.Column("measured", Mark.CIRCLE, false),
                new RowPlot.Column("published", Mark.DIAMOND, true));
        RowPlot plot = new RowPlot(
                "x", columns, List.of(new RowPlot.Row("a", Arrays.asList(1640.0, null))), RowPlot.Joint.STEM);
        assertThat(plot.draw(Size.NARROW).elements()).contains(">1.64k</text>", ">–</text>");
        assertThatThrownBy(() ->
                        new RowPlot("x", columns, List.of(new RowPlot.Row("a", List.of(1.0))), RowPlot.Joint.STEM))
                .hasMessageContaining("row 'a' has 1 figures for 2 columns");
    }

    @Test
    void a_page_gets_a_wide_and_a_narrow_drawing() {
        assertThat(new Picture("t", "d", LINES).inPage("p1"))
                .contains("class=\"wide\" viewBox=\"0 0 800 ", "class=\"narrow\" viewBox=\"0 0 340 ")
                .contains("aria-labelledby=\"p1wt p1wd\"", "aria-labelledby=\"p1nt p1nd\"");
    }

    @Test
    void colours_outside_the_palette_are_refused() {
        assertThatThrownBy(() -> new Look(10, Mark.PLUS)).hasMessage("colour must be 0 … 9, not 10");
    }

    private static List<Series.Point> points(double... numbers) {
        List<Series.Point> points = new ArrayList<>();
        for (int i = 0; i < numbers.length; i += 2) {
            points.add(new Series.Point(numbers[i], numbers[i + 1]));
        }
        return points;
    }
}
