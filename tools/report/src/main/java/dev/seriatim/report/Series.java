// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.Comparator;
import java.util.List;

/**
 * A line in a plot, without points that a logarithmic axis cannot show. Immutable.
 *
 * @param quoted whether it is published, not measured: the line is dashed, its marks are hollow
 * @param points from left to right
 */
public record Series(String name, Look look, boolean quoted, List<Point> points) {

    public record Point(double x, double y) {}

    public Series {
        points = points.stream()
                .filter(point -> LogScale.shows(point.x()) && LogScale.shows(point.y()))
                .sorted(Comparator.comparingDouble(Point::x))
                .toList();
    }

    Point last() {
        return points.get(points.size() - 1);
    }

    String classes(String kind) {
        return kind + " c" + look.colour() + (quoted ? " quoted" : "");
    }
}
