// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** A plot that can be drawn at any width. Immutable. */
public sealed interface Plot permits LinePlot, RowPlot {

    /** Returns whether it has no points. */
    boolean isEmpty();

    /** Draws it. */
    Svg draw(Size size);
}
