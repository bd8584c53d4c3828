// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lines over two logarithmic axes, with labels at their right ends. Immutable.
 *
 * @param across the title of the horizontal axis
 * @param upwards the title of the vertical axis, with its unit
 * @param series the lines; empty ones are left out
 * @param wideHeight the height of the axes in a wide plot
 */
public record LinePlot(String across, String upwards, List<Series> series, double wideHeight) implements Plot {

    /** Leaves out empty lines. */
    public LinePlot {
        series = series.stream().filter(line -> !line.isEmpty()).toList();
    }

    @Override
    public boolean isEmpty() {
        return series.isEmpty();
    }

    @Override
    public Drawing draw(Size size) {
        return new Layout(this, size).draw();
    }

    Set<Double> placesAcross() {
        Set<Double> places = new TreeSet<>();
        series.forEach(line -> line.points().forEach(point -> places.add(point.x())));
        return places;
    }

    List<Double> heights() {
        return series.stream()
                .flatMap(line -> line.points().stream())
                .map(Series.Point::y)
                .toList();
    }

    /** A drawing with its measures. */
    private static final class Layout {
        private static final double LEADER = 24;
        private static final int MOST_MARKS = 32;
        private static final double RADIUS = 3.4;

        private final LinePlot plot;
        private final Size size;
        private final Svg svg = new Svg();
        private final EndLabels labels;
        private final double top;
        private final double bottom;
        private final LogScale across;
        private final LogScale upwards;

        Layout(LinePlot plot, Size size) {
            this.plot = plot;
            this.size = size;
            double line = size.lineHeight();
            labels = new EndLabels(plot.series, size);
            top = line * 1.8;
            double wished = size == Size.WIDE ? plot.wideHeight : plot.wideHeight * 0.75;
            bottom = top + Math.max(wished, labels.height());
            LogScale unplaced = LogScale.around(plot.heights(), bottom, top);
            double left = 8
                    + unplaced.ticks(ticksUpwards()).stream()
                            .mapToDouble(tick -> size.widthOf(Figure.of(tick)))
                            .max()
                            .orElse(0);
            upwards = unplaced;
            across = LogScale.along(plot.placesAcross(), left, size.width() - labels.width() - LEADER);
        }

        private int ticksUpwards() {
            return (int) Math.max(2, (bottom - top) / (size.lineHeight() * 1.7));
        }

        Drawing draw() {
            axes();
            plot.series.forEach(this::line);
            double x = across.to() + LEADER;
            labels.draw(svg, x, across, upwards, top, bottom, RADIUS);
            return new Drawing(bottom + size.lineHeight() * 2.9, svg.written());
        }

        private void axes() {
            StringBuilder grid = new StringBuilder();
            for (double tick : upwards.ticks(ticksUpwards())) {
                grid.append(Svg.across(across.from(), across.to(), upwards.at(tick)));
                svg.text("", Svg.Anchor.END, across.from() - 6, upwards.at(tick), size, Figure.of(tick));
            }
            svg.path("grid", grid);
            StringBuilder axis = new StringBuilder(Svg.across(across.from(), across.to(), bottom));
            double line = size.lineHeight();
            // From the right, since the last number of threads matters most.
            double taken = Double.POSITIVE_INFINITY;
            List<Double> places = new ArrayList<>(plot.placesAcross());
            Collections.reverse(places);
            for (double place : places) {
                String text = Figure.of(place);
                double x = across.at(place);
                double half = size.widthOf(text) / 2;
                axis.append(Svg.upright(x, bottom, bottom + 4));
                if (x + half < taken - 5) {
                    svg.text("", Svg.Anchor.MIDDLE, x, bottom + line * 0.95, size, text);
                    taken = x - half;
                }
            }
            svg.path("axis", axis);
            svg.text("", Svg.Anchor.START, 0, line * 0.6, size, plot.upwards);
            svg.text("", Svg.Anchor.END, across.to(), bottom + line * 2.2, size, plot.across);
        }

        private void line(Series series) {
            StringBuilder line = new StringBuilder();
            StringBuilder marks = new StringBuilder();
            for (Series.Point point : series.points()) {
                double x = across.at(point.x());
                double y = upwards.at(point.y());
                line.append(line.isEmpty() ? Svg.from(x, y) : "L" + Svg.number(x) + " " + Svg.number(y));
                if (series.points().size() <= MOST_MARKS) {
                    marks.append(series.look().mark().around(x, y, RADIUS));
                }
            }
            String colour = "c" + series.look().colour();
            if (series.points().size() > 1) {
                svg.path("line " + colour + (series.quoted() ? " quoted" : ""), line);
            }
            svg.path("mark " + colour + (series.quoted() ? " quoted" : ""), marks);
        }
    }

    /** Draws the labels at the right ends of the lines, with connectors. */
    private static final class EndLabels {
        private static final int LINES = 3;
        private static final double GLYPH = 16;

        private final List<Series> series;
        private final Size size;
        private final List<List<String>> texts = new ArrayList<>();

        EndLabels(List<Series> series, Size size) {
            this.series = series;
            this.size = size;
            double widest = (size == Size.WIDE ? 210 : 112) / size.fontSize();
            series.forEach(line -> texts.add(TextWidth.wrap(line.name(), widest, LINES)));
        }

        double width() {
            return GLYPH
                    + texts.stream()
                            .flatMap(List::stream)
                            .mapToDouble(size::widthOf)
                            .max()
                            .orElse(0);
        }

        double height() {
            return texts.stream().mapToDouble(this::height).sum();
        }

        private double height(List<String> text) {
            return text.size() * size.lineHeight() + (text.size() > 1 ? 3 : 0);
        }

        void draw(Svg svg, double left, LogScale across, LogScale upwards, double top, double bottom, double radius) {
            List<Spread.Wish> wishes = new ArrayList<>();
            for (int i = 0; i < series.size(); i++) {
                wishes.add(new Spread.Wish(upwards.at(series.get(i).last().y()), height(texts.get(i))));
            }
            List<Double> middles = Spread.apart(wishes, top, bottom);
            for (int i = 0; i < series.size(); i++) {
                Series line = series.get(i);
                double from = across.at(line.last().x()) + radius + 2;
                double middle = middles.get(i);
                String colour = " c" + line.look().colour() + (line.quoted() ? " quoted" : "");
                svg.path(
                        "leader" + colour,
                        Svg.from(from, wishes.get(i).middle()) + "L" + Svg.number(left - 3) + " " + Svg.number(middle));
                svg.path("mark" + colour, line.look().mark().around(left + radius + 1, middle, radius));
                text(svg, left + GLYPH, middle, texts.get(i));
            }
        }

        private void text(Svg svg, double x, double middle, List<String> lines) {
            double at = middle - (lines.size() - 1) * size.lineHeight() / 2;
            for (String line : lines) {
                svg.text("name", Svg.Anchor.START, x, at, size, line);
                at += size.lineHeight();
            }
        }
    }
}
