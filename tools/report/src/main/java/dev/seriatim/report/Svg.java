// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.Locale;

/** Writes SVG elements with classes for their look. Not thread-safe. */
final class Svg {

    private final StringBuilder out = new StringBuilder();

    /** The alignment of a text. */
    enum Anchor {
        START(""),
        MIDDLE(" mid"),
        END(" end");

        private final String look;

        Anchor(String look) {
            this.look = look;
        }
    }

    /** Appends a path, unless it is empty. */
    void path(String look, CharSequence path) {
        if (!path.isEmpty()) {
            out.append("<path class=\"")
                    .append(look)
                    .append("\" d=\"")
                    .append(path)
                    .append("\"/>");
        }
    }

    /** Appends a vertically centred text; without classes, a muted one. */
    void text(String look, Anchor anchor, double x, double middle, Size size, String text) {
        String classes = (look + anchor.look).strip();
        out.append(classes.isEmpty() ? "<text" : "<text class=\"" + classes + "\"");
        out.append(" x=\"").append(number(x));
        out.append("\" y=\"").append(number(middle + size.fontSize() * 0.35)).append("\">");
        out.append(Markup.escaped(text)).append("</text>");
    }

    String written() {
        return out.toString();
    }

    /** Returns a part of a path. */
    static String across(double x1, double x2, double y) {
        return from(x1, y) + "H" + number(x2);
    }

    /** Returns a vertical part of a path. */
    static String upright(double x, double y1, double y2) {
        return from(x, y1) + "V" + number(y2);
    }

    static String from(double x, double y) {
        return "M" + number(x) + " " + number(y);
    }

    /** Rounds to a tenth of a pixel. */
    static String number(double number) {
        double rounded = Math.round(number * 10) / 10.0;
        return rounded == Math.rint(rounded)
                ? Long.toString((long) rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }
}
