// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** Escapes text for SVG and HTML. Thread-safe. */
public final class Markup {

    private Markup() {}

    /** Escapes text for elements and attributes; replaces characters that XML does not allow. */
    public static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(forbidden(c) ? 0xFFFD : c);
            }
        });
        return escaped.toString();
    }

    private static boolean forbidden(int c) {
        return (c < 0x20 && c != '\n' && c != '\t')
                || (c >= 0x7F && c < 0xA0)
                || (c >= 0xD800 && c < 0xE000)
                || c == 0xFFFE
                || c == 0xFFFF;
    }
}
