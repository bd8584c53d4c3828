// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.Locale;

/** Shapes of points, distinguishable without colours. */
public enum Mark {
    CIRCLE("m-%1$s 0a%1$s %1$s 0 1 0 %2$s 0a%1$s %1$s 0 1 0-%2$s 0z", 1),
    SQUARE("m-%1$s-%1$sh%2$sv%2$sh-%2$sz", 0.9),
    TRIANGLE("m0-%1$sl%1$s %2$sh-%2$sz", 1.05),
    WEDGE("m0 %1$sl%1$s-%2$sh-%2$sz", 1.05),
    DIAMOND("m0-%1$sl%1$s %1$sl-%1$s %1$sl-%1$s-%1$sz", 1.3),
    PLUS("m-%1$s 0h%2$sm-%1$s-%1$sv%2$s", 1.2),
    CROSS("m-%1$s-%1$sl%2$s %2$sm0-%2$sl-%2$s %2$s", 0.95),
    TICK("m0-%2$sv%3$s", 1.05);

    private final String shape;
    private final double stretch;

    Mark(String shape, double stretch) {
        this.shape = shape;
        this.stretch = stretch;
    }

    /** Returns the outline around a point, as a part of a path. */
    String around(double x, double y, double radius) {
        double r = radius * stretch;
        return "M" + Svg.number(x) + " " + Svg.number(y)
                + String.format(Locale.ROOT, shape, Svg.number(r), Svg.number(2 * r), Svg.number(4 * r));
    }
}
