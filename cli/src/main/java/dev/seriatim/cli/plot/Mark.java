// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.plot;

import java.util.Locale;

/** The shapes by which what is drawn can be told apart without colours. */
public enum Mark {
    /** A disc. */
    CIRCLE("m-%1$.1f 0a%1$.1f %1$.1f 0 1 0 %2$.1f 0a%1$.1f %1$.1f 0 1 0-%2$.1f 0z", 1),
    /** A square. */
    SQUARE("m-%1$.1f-%1$.1fh%2$.1fv%2$.1fh-%2$.1fz", 0.9),
    /** A triangle that stands. */
    TRIANGLE("m0-%1$.1fl%1$.1f %2$.1fh-%2$.1fz", 1.05),
    /** A triangle on its head. */
    WEDGE("m0 %1$.1fl%1$.1f-%2$.1fh-%2$.1fz", 1.05),
    /** A square on its corner. */
    DIAMOND("m0-%1$.1fl%1$.1f %1$.1fl-%1$.1f %1$.1fl-%1$.1f-%1$.1fz", 1.3),
    /** A plus. */
    PLUS("m-%1$.1f 0h%2$.1fm-%1$.1f-%1$.1fv%2$.1f", 1.2),
    /** An oblique cross. */
    CROSS("m-%1$.1f-%1$.1fl%2$.1f %2$.1fm0-%2$.1fl-%2$.1f %2$.1f", 0.95),
    /** A stroke across the axis. */
    TICK("m0-%2$.1fv%3$.1f", 1.05);

    private final String shape;
    private final double stretch;

    Mark(String shape, double stretch) {
        this.shape = shape;
        this.stretch = stretch;
    }

    /** The outline around a point, as a path that can stand among others. */
    String around(double x, double y, double radius) {
        double r = radius * stretch;
        return "M" + Svg.number(x) + " " + Svg.number(y) + String.format(Locale.ROOT, shape, r, 2 * r, 4 * r);
    }
}
