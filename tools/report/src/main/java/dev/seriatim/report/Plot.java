// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** A plot that can be drawn at any width. Immutable. */
public sealed interface Plot permits LinePlot, RowPlot {

    /** Returns whether it has no points. */
    boolean isEmpty();

    /** Draws it. */
    Drawing draw(Size size);

    /**
     * A plot as SVG elements.
     *
     * @param height its height
     * @param elements the elements
     */
    record Drawing(double height, String elements) {}
}
