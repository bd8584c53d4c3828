// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** A plot that can be drawn at any width. Immutable. */
public sealed interface Plot permits LinePlot, RowPlot {

    boolean isEmpty();

    Svg draw(Size size);
}
