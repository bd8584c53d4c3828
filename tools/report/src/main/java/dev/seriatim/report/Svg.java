// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.List;
import java.util.Locale;

/** A drawing, written as SVG elements with classes for their look. Not thread-safe. */
public final class Svg {

    private final Size size;
    private final StringBuilder out = new StringBuilder();
    private double height;

    Svg(Size size) {
        this.size = size;
    }

    void path(String look, CharSequence path) {
        if (!path.isEmpty()) {
            out.append("<path class=\"" + look + "\" d=\"" + path + "\"/>");
        }
    }

    /** Appends a vertically centred text: from {@code x} on, or to it with the class "end", or around it with "mid". */
    void text(String classes, double x, double middle, String text) {
        out.append(classes.isEmpty() ? "<text" : "<text class=\"" + classes + "\"");
        out.append(" x=\"" + number(x) + "\" y=\"" + number(middle + size.fontSize * 0.35) + "\">");
        out.append(Page.escaped(text) + "</text>");
    }

    /** Appends lines of text, of which the first has this middle. */
    void lines(double x, double middle, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            text("name", x, middle + i * size.lineHeight, lines.get(i));
        }
    }

    Svg ending(double bottom) {
        height = bottom;
        return this;
    }

    double height() {
        return height;
    }

    String elements() {
        return out.toString();
    }

    static String across(double x1, double x2, double y) {
        return from(x1, y) + "H" + number(x2);
    }

    static String upright(double x, double y1, double y2) {
        return from(x, y1) + "V" + number(y2);
    }

    static String from(double x, double y) {
        return "M" + number(x) + " " + number(y);
    }

    static String to(double x, double y) {
        return "L" + number(x) + " " + number(y);
    }

    /** Rounds to a tenth of a pixel. */
    static String number(double number) {
        double rounded = Math.round(number * 10) / 10.0;
        return rounded == Math.rint(rounded)
                ? Long.toString((long) rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }
}
