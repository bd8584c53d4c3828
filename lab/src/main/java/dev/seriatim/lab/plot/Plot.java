// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.plot;

/** What can be drawn for a width. Immutable and thread-safe. */
public sealed interface Plot permits LinePlot, RowPlot {

    /** Whether there is nothing to be seen in it. */
    boolean isEmpty();

    /** Lays it out and draws it. */
    Drawing draw(Size size);

    /**
     * A plot as elements of SVG.
     *
     * @param height how high it came out
     * @param elements what is in it
     */
    record Drawing(double height, String elements) {}
}
