// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.plot;

/** The room that a plot is laid out for: text cannot shrink with a screen and stay legible, so narrow ones get a layout. */
public enum Size {
    /** A window or a sheet of paper. */
    WIDE(800, 12.5),
    /** A telephone, 360 pixels wide. */
    NARROW(340, 11);

    private final double width;
    private final double fontSize;

    Size(double width, double fontSize) {
        this.width = width;
        this.fontSize = fontSize;
    }

    /** In the plot's own units, which are pixels where it is shown at its full size. */
    double width() {
        return width;
    }

    double fontSize() {
        return fontSize;
    }

    /** From one line of text to the next. */
    double lineHeight() {
        return Math.ceil(fontSize * 1.24);
    }

    /** How wide a text may become, at most. */
    double widthOf(String text) {
        return TextWidth.inEms(text) * fontSize;
    }
}
