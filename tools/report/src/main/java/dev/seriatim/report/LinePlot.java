// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Lines over two logarithmic axes, with labels at their right ends. Immutable.
 *
 * @param upwards the title of the vertical axis, with its unit
 * @param series the lines; empty ones are left out
 * @param wideHeight the height of the axes in a wide plot
 */
public record LinePlot(String across, String upwards, List<Series> series, double wideHeight) implements Plot {

    public LinePlot {
        series = series.stream().filter(line -> !line.points().isEmpty()).toList();
    }

    @Override
    public boolean isEmpty() {
        return series.isEmpty();
    }

    @Override
    public Svg draw(Size size) {
        return new Layout(this, size).draw();
    }

    private static final class Layout {
        private static final int LABEL_LINES = 3;
        private static final double LEADER = 24;
        private static final double GLYPH = 16;
        private static final int MOST_MARKS = 32;
        private static final double RADIUS = 3.4;

        private final LinePlot plot;
        private final Size size;
        private final Svg svg;

        /** A label per line, in lines of text. */
        private final List<List<String>> labels;

        private final TreeSet<Double> places = new TreeSet<>();
        private final double top;
        private final double bottom;
        private final LogScale upwards;
        private final List<Double> ticks;
        private final LogScale across;

        Layout(LinePlot plot, Size size) {
            this.plot = plot;
            this.size = size;
            svg = new Svg(size);
            boolean wide = size == Size.WIDE;
            labels = plot.series.stream()
                    .map(line -> size.wrap(line.name(), wide ? 210 : 112, LABEL_LINES))
                    .toList();
            List<Double> heights = new ArrayList<>();
            for (Series line : plot.series) {
                for (Series.Point point : line.points()) {
                    places.add(point.x());
                    heights.add(point.y());
                }
            }
            top = size.lineHeight * 1.8;
            double labelled = labels.stream().mapToDouble(this::height).sum();
            bottom = top + Math.max(plot.wideHeight * (wide ? 1 : 0.75), labelled);
            upwards = LogScale.around(heights, bottom, top);
            ticks = upwards.ticks((int) Math.max(2, (bottom - top) / (size.lineHeight * 1.7)));
            double left = 8 + size.widest(ticks.stream().map(Value::brief));
            double labelWidth = GLYPH + size.widest(labels.stream().flatMap(List::stream));
            across = LogScale.along(places, left, size.width - labelWidth - LEADER);
        }

        private double height(List<String> label) {
            return label.size() * size.lineHeight + (label.size() > 1 ? 3 : 0);
        }

        Svg draw() {
            axes();
            plot.series.forEach(this::line);
            labels();
            return svg.ending(bottom + size.lineHeight * 2.9);
        }

        private void axes() {
            StringBuilder grid = new StringBuilder();
            for (double tick : ticks) {
                grid.append(Svg.across(across.from(), across.to(), upwards.at(tick)));
                svg.text("end", across.from() - 6, upwards.at(tick), Value.brief(tick));
            }
            svg.path("grid", grid);
            StringBuilder axis = new StringBuilder(Svg.across(across.from(), across.to(), bottom));
            double line = size.lineHeight;
            // From the right, since the last number of threads matters most.
            double taken = Double.POSITIVE_INFINITY;
            for (double place : places.descendingSet()) {
                String text = Value.brief(place);
                double x = across.at(place);
                double half = size.widthOf(text) / 2;
                axis.append(Svg.upright(x, bottom, bottom + 4));
                if (x + half < taken - 5) {
                    svg.text("mid", x, bottom + line * 0.95, text);
                    taken = x - half;
                }
            }
            svg.path("axis", axis);
            svg.text("", 0, line * 0.6, plot.upwards);
            svg.text("end", across.to(), bottom + line * 2.2, plot.across);
        }

        private void line(Series series) {
            StringBuilder line = new StringBuilder();
            StringBuilder marks = new StringBuilder();
            for (Series.Point point : series.points()) {
                double x = across.at(point.x());
                double y = upwards.at(point.y());
                line.append(line.isEmpty() ? Svg.from(x, y) : Svg.to(x, y));
                if (series.points().size() <= MOST_MARKS) {
                    marks.append(series.look().mark().around(x, y, RADIUS));
                }
            }
            if (series.points().size() > 1) {
                svg.path(series.classes("line"), line);
            }
            svg.path(series.classes("mark"), marks);
        }

        /** Draws the labels at the right ends of the lines, with connectors. */
        private void labels() {
            double left = across.to() + LEADER;
            List<Spread.Wish> wishes = new ArrayList<>();
            for (int i = 0; i < labels.size(); i++) {
                double end = upwards.at(plot.series.get(i).last().y());
                wishes.add(new Spread.Wish(end, height(labels.get(i))));
            }
            List<Double> middles = Spread.apart(wishes, top, bottom);
            for (int i = 0; i < labels.size(); i++) {
                Series line = plot.series.get(i);
                double middle = middles.get(i);
                String start = Svg.from(
                        across.at(line.last().x()) + RADIUS + 2, wishes.get(i).middle());
                svg.path(line.classes("leader"), start + Svg.to(left - 3, middle));
                svg.path(line.classes("mark"), line.look().mark().around(left + RADIUS + 1, middle, RADIUS));
                List<String> label = labels.get(i);
                svg.lines(left + GLYPH, middle - (label.size() - 1) * size.lineHeight / 2, label);
            }
        }
    }
}
