// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.plot;

import java.util.Locale;

/** Writes the elements of a drawing, each with the class that says how it looks. Not thread-safe. */
final class Svg {

    private final StringBuilder out = new StringBuilder();

    /** Where a text stands, seen from its point. */
    enum Anchor {
        START(""),
        MIDDLE(" mid"),
        END(" end");

        private final String look;

        Anchor(String look) {
            this.look = look;
        }
    }

    /** Nothing, if the path is empty. */
    void path(String look, CharSequence path) {
        if (!path.isEmpty()) {
            out.append("<path class=\"")
                    .append(look)
                    .append("\" d=\"")
                    .append(path)
                    .append("\"/>");
        }
    }

    /** A text whose middle is at a height; without a look, one that steps back. */
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

    /** A piece of a path. */
    static String across(double x1, double x2, double y) {
        return from(x1, y) + "H" + number(x2);
    }

    /** The same upright. */
    static String upright(double x, double y1, double y2) {
        return from(x, y1) + "V" + number(y2);
    }

    static String from(double x, double y) {
        return "M" + number(x) + " " + number(y);
    }

    /** A tenth of a pixel is fine enough. */
    static String number(double number) {
        double rounded = Math.round(number * 10) / 10.0;
        return rounded == Math.rint(rounded)
                ? Long.toString((long) rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }
}
