// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A row per item, with a mark per figure on a logarithmic axis, and the figures as numbers. Immutable.
 *
 * @param across the title of the axis, with its unit
 */
public record RowPlot(String across, List<Column> columns, List<Row> rows, Joint joint) implements Plot {

    /** The line that joins the marks of a row. */
    public enum Joint {
        /** A line from the start of the axis to the first column's mark, like a thin bar. */
        STEM,
        /** A line from the lowest to the highest mark. */
        RANGE
    }

    /** A figure of all rows; if it is quoted, it is published and not measured, and its mark is hollow. */
    public record Column(String name, Mark mark, boolean quoted) {
        String classes() {
            return quoted ? "mark c1 quoted" : "mark c1";
        }
    }

    /** A row, with a figure per column, or null. */
    public record Row(String name, List<@Nullable Double> figures) {
        String text(int column) {
            Double figure = figures.get(column);
            return figure == null ? "–" : Value.brief(figure);
        }
    }

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
        return figures().noneMatch(LogScale::shows);
    }

    @Override
    public Svg draw(Size size) {
        return new Layout(this, size).draw();
    }

    private Stream<Double> figures() {
        return rows.stream().flatMap(row -> row.figures().stream()).filter(Objects::nonNull);
    }

    /** A drawing. In a wide one the marks are between a row's name and its figures, in a narrow one below. */
    private static final class Layout {
        private static final int LINES = 4;
        private static final double GLYPH = 14;
        private static final double RADIUS = 4;

        private final RowPlot plot;
        private final Size size;
        private final boolean wide;
        private final Svg svg;
        private final double[] columnEnds;
        private final List<List<String>> names;
        private final LogScale scale;
        private final StringBuilder rails = new StringBuilder();
        private final StringBuilder stems = new StringBuilder();
        private final List<StringBuilder> marks = new ArrayList<>();

        Layout(RowPlot plot, Size size) {
            this.plot = plot;
            this.size = size;
            wide = size == Size.WIDE;
            svg = new Svg(size);
            columnEnds = new double[plot.columns.size()];
            double end = size.width;
            for (int i = columnEnds.length - 1; i >= 0; i--) {
                columnEnds[i] = end;
                end -= width(i);
                marks.add(new StringBuilder());
            }
            double room = wide ? 230 : Math.max(60, end - 4);
            names = plot.rows.stream()
                    .map(row -> size.wrap(row.name(), room, LINES))
                    .toList();
            double widest = size.widest(names.stream().flatMap(List::stream));
            List<Double> figures = plot.figures().toList();
            scale = wide
                    ? LogScale.around(figures, widest + 24, end - 10)
                    : LogScale.around(figures, 10, size.width - 10);
        }

        private double width(int column) {
            double heading = GLYPH + size.widthOf(plot.columns.get(column).name());
            double widest = size.widest(plot.rows.stream().map(row -> row.text(column)));
            return (wide ? 16 : 8) + Math.max(heading, widest);
        }

        Svg draw() {
            double line = size.lineHeight;
            headings(line * 0.6);
            double top = line * 1.5;
            double bottom = top
                    + IntStream.range(0, names.size()).mapToDouble(this::height).sum();
            axis(top, bottom);
            double at = top;
            for (int i = 0; i < names.size(); i++) {
                row(i, at);
                at += height(i);
            }
            svg.path("rail", rails);
            svg.path("stem c1", stems);
            // Marks of a column are one path; the first column's are last, on top.
            for (int i = columnEnds.length - 1; i >= 0; i--) {
                svg.path(plot.columns.get(i).classes(), marks.get(i));
            }
            return svg.ending(bottom + line * 2.9);
        }

        private double height(int row) {
            double text = names.get(row).size() * size.lineHeight;
            return wide ? Math.max(text + 8, 26) : text + 26;
        }

        private void headings(double middle) {
            for (int i = 0; i < columnEnds.length; i++) {
                Column column = plot.columns.get(i);
                svg.text("end", columnEnds[i], middle, column.name());
                double x = columnEnds[i] - size.widthOf(column.name()) - GLYPH / 2;
                svg.path(column.classes(), column.mark().around(x, middle, RADIUS * 0.9));
            }
        }

        private void axis(double top, double bottom) {
            double room = size.widthOf("0.005") + 10;
            StringBuilder grid = new StringBuilder();
            for (double tick : scale.ticks((int) ((scale.to() - scale.from()) / room))) {
                double x = scale.at(tick);
                grid.append(Svg.upright(x, top, bottom));
                label(x, bottom + size.lineHeight * 0.85, Value.brief(tick));
            }
            svg.path("grid", grid);
            svg.path("axis", Svg.across(scale.from(), scale.to(), bottom));
            svg.text("end", scale.to(), bottom + size.lineHeight * 2.1, plot.across);
        }

        /** Centres a label, unless it would be cut at the edge of a narrow drawing. */
        private void label(double x, double middle, String text) {
            double half = size.widthOf(text) / 2;
            if (x + half > size.width) {
                svg.text("end", size.width, middle, text);
            } else if (x - half < 0) {
                svg.text("", 0, middle, text);
            } else {
                svg.text("mid", x, middle, text);
            }
        }

        private void row(int index, double top) {
            List<String> name = names.get(index);
            double line = size.lineHeight;
            double text = name.size() * line;
            double first = wide ? top + (height(index) - text + line) / 2 : top + line / 2 + 4;
            svg.lines(0, first, name);
            double figures = wide ? top + height(index) / 2 : first;
            for (int i = 0; i < columnEnds.length; i++) {
                String look = i == 0 ? "name end" : "end";
                svg.text(look, columnEnds[i], figures, plot.rows.get(index).text(i));
            }
            marks(plot.rows.get(index).figures(), wide ? figures : top + text + 14);
        }

        private void marks(List<@Nullable Double> figures, double y) {
            List<Double> joined = new ArrayList<>();
            for (int i = 0; i < columnEnds.length; i++) {
                Double figure = figures.get(i);
                if (figure != null && LogScale.shows(figure)) {
                    double x = scale.at(figure);
                    marks.get(i).append(plot.columns.get(i).mark().around(x, y, RADIUS));
                    if (plot.joint == Joint.RANGE) {
                        joined.add(x);
                    } else if (i == 0) {
                        joined.addAll(List.of(scale.from(), x));
                    }
                }
            }
            rails.append(Svg.across(scale.from(), scale.to(), y));
            if (joined.size() > 1) {
                stems.append(Svg.across(Collections.min(joined), Collections.max(joined), y));
            }
        }
    }
}
