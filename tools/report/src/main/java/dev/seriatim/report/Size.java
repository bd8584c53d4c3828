// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** The widths that plots are laid out for: text must stay legible, so narrow screens have their own layout. */
public enum Size {
    /** A window or a sheet of paper. */
    WIDE(800, 12.5),
    /** A phone, 360 pixels wide. */
    NARROW(340, 11);

    private final double width;
    private final double fontSize;

    Size(double width, double fontSize) {
        this.width = width;
        this.fontSize = fontSize;
    }

    /** Returns the width in pixels at full size. */
    double width() {
        return width;
    }

    double fontSize() {
        return fontSize;
    }

    /** Returns the line height. */
    double lineHeight() {
        return Math.ceil(fontSize * 1.24);
    }

    /** Returns the maximum width of a text. */
    double widthOf(String text) {
        return TextWidth.inEms(text) * fontSize;
    }
}
