// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row per item, with a mark per figure on a logarithmic axis, and the figures as numbers. Immutable.
 *
 * @param across the title of the axis, with its unit
 * @param columns the figures of a row
 * @param rows the rows, from top to bottom
 * @param joint the line that joins the marks of a row
 */
public record RowPlot(String across, List<Column> columns, List<Row> rows, Joint joint) implements Plot {

    /** The line that joins the marks of a row. */
    public enum Joint {
        /** A line from the start of the axis to the first column's mark, like a thin bar. */
        STEM,
        /** A line from the lowest to the highest mark. */
        RANGE
    }

    /**
     * A figure of all rows.
     *
     * @param name its heading
     * @param mark its shape
     * @param quoted whether it is published, not measured: its mark is hollow
     */
    public record Column(String name, Mark mark, boolean quoted) {}

    /**
     * A row.
     *
     * @param name its label
     * @param figures a figure per column, or null
     */
    public record Row(String name, List<@Nullable Double> figures) {}

    /** Checks that rows and columns match. */
    public RowPlot {
        for (Row row : rows) {
            if (row.figures().size() != columns.size()) {
                throw new IllegalArgumentException(
                        "row '" + row.name() + "' has " + row.figures().size() + " figures for " + columns.size()
                                + " columns; use null for a missing one");
            }
        }
    }

    @Override
    public boolean isEmpty() {
        return shown().isEmpty();
    }

    @Override
    public Drawing draw(Size size) {
        return new Layout(this, size).draw();
    }

    private List<Double> shown() {
        List<Double> shown = new ArrayList<>();
        for (Row row : rows) {
            for (Double figure : row.figures()) {
                if (figure != null && LogScale.shows(figure)) {
                    shown.add(figure);
                }
            }
        }
        return shown;
    }

    private static String text(@Nullable Double figure) {
        return figure == null ? "–" : Figure.of(figure);
    }

    /** A drawing. In a wide one the marks are between a row's name and its figures, in a narrow one below. */
    private static final class Layout {
        private static final int LINES = 4;
        private static final double GLYPH = 14;
        private static final double RADIUS = 4;

        private final RowPlot plot;
        private final Size size;
        private final Svg svg = new Svg();
        private final List<Double> columnEnds = new ArrayList<>();
        private final List<List<String>> names = new ArrayList<>();
        private final StringBuilder rails = new StringBuilder();
        private final StringBuilder stems = new StringBuilder();
        private final List<StringBuilder> marks = new ArrayList<>();
        private final LogScale scale;

        Layout(RowPlot plot, Size size) {
            this.plot = plot;
            this.size = size;
            double end = size.width();
            List<Double> widths = new ArrayList<>();
            for (int i = 0; i < plot.columns.size(); i++) {
                widths.add(width(i));
                marks.add(new StringBuilder());
            }
            double figures =
                    end - widths.stream().mapToDouble(Double::doubleValue).sum();
            double at = figures;
            for (double width : widths) {
                at += width;
                columnEnds.add(at);
            }
            double room = size == Size.WIDE ? 230 : Math.max(60, figures - 4);
            plot.rows.forEach(row -> names.add(TextWidth.wrap(row.name(), room / size.fontSize(), LINES)));
            double widest = names.stream()
                    .flatMap(List::stream)
                    .mapToDouble(size::widthOf)
                    .max()
                    .orElse(0);
            scale = size == Size.WIDE
                    ? LogScale.around(plot.shown(), widest + 24, figures - 10)
                    : LogScale.around(plot.shown(), 10, end - 10);
        }

        private double width(int column) {
            double heading = GLYPH + size.widthOf(plot.columns.get(column).name());
            return (size == Size.WIDE ? 16 : 8)
                    + plot.rows.stream()
                            .mapToDouble(row -> size.widthOf(text(row.figures().get(column))))
                            .reduce(heading, Math::max);
        }

        Drawing draw() {
            double line = size.lineHeight();
            headings(line * 0.6);
            double top = line * 1.5;
            double at = top;
            List<Runnable> rows = new ArrayList<>();
            for (int i = 0; i < plot.rows.size(); i++) {
                int row = i;
                double begin = at;
                rows.add(() -> row(row, begin));
                at += height(i);
            }
            axis(top, at);
            rows.forEach(Runnable::run);
            strokes();
            return new Drawing(at + line * 2.9, svg.written());
        }

        private double height(int row) {
            double text = names.get(row).size() * size.lineHeight();
            return size == Size.WIDE ? Math.max(text + 8, 26) : text + 26;
        }

        private void headings(double middle) {
            for (int i = 0; i < plot.columns.size(); i++) {
                Column column = plot.columns.get(i);
                double end = columnEnds.get(i);
                svg.text("", Svg.Anchor.END, end, middle, size, column.name());
                double x = end - size.widthOf(column.name()) - GLYPH / 2;
                svg.path(mark(column), column.mark().around(x, middle, RADIUS * 0.9));
            }
        }

        private static String mark(Column column) {
            return "mark c1" + (column.quoted() ? " quoted" : "");
        }

        private void axis(double top, double bottom) {
            double line = size.lineHeight();
            double room = size.widthOf("0.005") + 10;
            StringBuilder grid = new StringBuilder();
            for (double tick : scale.ticks((int) ((scale.to() - scale.from()) / room))) {
                double x = scale.at(tick);
                grid.append(Svg.upright(x, top, bottom));
                // Centred labels would be cut at the edge of a narrow drawing.
                Svg.Anchor anchor = x + size.widthOf(Figure.of(tick)) / 2 > size.width()
                        ? Svg.Anchor.END
                        : x - size.widthOf(Figure.of(tick)) / 2 < 0 ? Svg.Anchor.START : Svg.Anchor.MIDDLE;
                double place = anchor == Svg.Anchor.END ? size.width() : anchor == Svg.Anchor.START ? 0 : x;
                svg.text("", anchor, place, bottom + line * 0.85, size, Figure.of(tick));
            }
            svg.path("grid", grid);
            svg.path("axis", Svg.across(scale.from(), scale.to(), bottom));
            svg.text("", Svg.Anchor.END, scale.to(), bottom + line * 2.1, size, plot.across);
        }

        private void row(int index, double top) {
            List<String> name = names.get(index);
            Row row = plot.rows.get(index);
            double line = size.lineHeight();
            double text = name.size() * line;
            double first = size == Size.WIDE ? top + (height(index) - text + line) / 2 : top + line / 2 + 4;
            for (int i = 0; i < name.size(); i++) {
                svg.text("name", Svg.Anchor.START, 0, first + i * line, size, name.get(i));
            }
            double figures = size == Size.WIDE ? top + height(index) / 2 : first;
            for (int i = 0; i < plot.columns.size(); i++) {
                String look = i == 0 ? "name" : "";
                svg.text(
                        look,
                        Svg.Anchor.END,
                        columnEnds.get(i),
                        figures,
                        size,
                        text(row.figures().get(i)));
            }
            marks(row, size == Size.WIDE ? figures : top + text + 14);
        }

        private void marks(Row row, double y) {
            List<Double> places = new ArrayList<>();
            for (Double figure : row.figures()) {
                places.add(figure != null && LogScale.shows(figure) ? scale.at(figure) : Double.NaN);
            }
            rails.append(Svg.across(scale.from(), scale.to(), y));
            joint(places, y);
            for (int i = 0; i < places.size(); i++) {
                if (!places.get(i).isNaN()) {
                    marks.get(i).append(plot.columns.get(i).mark().around(places.get(i), y, RADIUS));
                }
            }
        }

        private void joint(List<Double> places, double y) {
            List<Double> there = new ArrayList<>(plot.joint == Joint.STEM ? places.subList(0, 1) : places);
            there.removeIf(place -> place.isNaN());
            if (plot.joint == Joint.STEM && !there.isEmpty()) {
                there.add(scale.from());
            }
            if (there.size() > 1) {
                stems.append(Svg.across(Collections.min(there), Collections.max(there), y));
            }
        }

        /** Draws marks of the same look as one path; those of the first column last, on top. */
        private void strokes() {
            svg.path("rail", rails);
            svg.path("stem c1", stems);
            for (int i = plot.columns.size() - 1; i >= 0; i--) {
                svg.path(mark(plot.columns.get(i)), marks.get(i));
            }
        }
    }
}
