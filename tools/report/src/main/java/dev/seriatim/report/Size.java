// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.List;
import java.util.stream.Stream;

/** The widths that plots are laid out for: text must stay legible, so narrow screens have their own layout. */
public enum Size {
    /** A window or a sheet of paper. */
    WIDE(800, 12.5),
    /** A phone, 360 pixels wide. */
    NARROW(340, 11);

    /** The width in pixels at full size. */
    final double width;

    final double fontSize;
    final double lineHeight;

    Size(double width, double fontSize) {
        this.width = width;
        this.fontSize = fontSize;
        this.lineHeight = Math.ceil(fontSize * 1.24);
    }

    /** Returns the maximum width of a text. */
    double widthOf(String text) {
        return TextWidth.inEms(text) * fontSize;
    }

    /** Returns the maximum width of the widest text; 0 if there is none. */
    double widest(Stream<String> texts) {
        return texts.mapToDouble(this::widthOf).max().orElse(0);
    }

    /** Breaks text into lines of this width. */
    List<String> wrap(String text, double width, int mostLines) {
        return TextWidth.wrap(text, width / fontSize, mostLines);
    }
}
