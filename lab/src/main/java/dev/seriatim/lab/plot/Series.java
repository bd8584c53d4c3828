// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.plot;

import java.util.Comparator;
import java.util.List;

/**
 * A line in a plot. Points that have no place on a logarithmic axis are left out. Immutable and thread-safe.
 *
 * @param name its label
 * @param look its colour and its marks
 * @param quoted whether somebody else measured it: it is dashed then, and its marks are hollow
 * @param points from left to right
 */
public record Series(String name, Look look, boolean quoted, List<Point> points) {

    /** A point of a line. */
    public record Point(double x, double y) {}

    /** Leaves out what cannot be shown. */
    public Series {
        points = points.stream()
                .filter(point -> LogScale.shows(point.x()) && LogScale.shows(point.y()))
                .sorted(Comparator.comparingDouble(Point::x))
                .toList();
    }

    boolean isEmpty() {
        return points.isEmpty();
    }

    Point last() {
        return points.get(points.size() - 1);
    }
}
