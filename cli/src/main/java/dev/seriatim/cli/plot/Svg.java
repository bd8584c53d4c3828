// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.plot;

import java.util.Locale;

/** Writes the elements of a drawing, each with the class that says how it looks. Not thread-safe. */
final class Svg {

    private final StringBuilder out = new StringBuilder();

    /** Where a text stands, seen from its point. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    void line(String look, double x1, double y1, double x2, double y2) {
        path(look, from(x1, y1) + "L" + number(x2) + " " + number(y2));
    }

    void path(String look, String path) {
        out.append("<path class=\"").append(look).append("\" d=\"").append(path).append("\"/>");
    }

    /** A text whose middle is at a height. */
    void text(String look, Anchor anchor, double x, double middle, Size size, String text) {
        out.append("<text class=\"").append(look);
        if (anchor != Anchor.START) {
            out.append(anchor == Anchor.MIDDLE ? " mid" : " end");
        }
        out.append("\" x=\"").append(number(x));
        out.append("\" y=\"").append(number(middle + size.fontSize() * 0.35)).append("\">");
        out.append(Markup.escaped(text)).append("</text>");
    }

    String written() {
        return out.toString();
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
