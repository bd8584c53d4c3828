// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Writes a page of HTML from top to bottom; all text is escaped. The page has neither scripts nor external resources. Not thread-safe. */
final class Page {

    private static final int LONGEST_TEXT = 2000;
    private static final int LONGEST_LABEL = 80;
    private static final int LONGEST_WORD = 18;

    private final StringBuilder out = new StringBuilder();
    private int ids;

    Page(String title) {
        raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                + "<meta name=\"color-scheme\" content=\"light dark\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';img-src data:\">"
                + "<link rel=\"icon\" href=\"data:,\">");
        element("title", title);
        raw("<style>" + resource(Picture.STYLE) + resource("page.css") + "</style></head><body><main>\n");
    }

    /** Returns a style sheet on one line. */
    static String resource(String name) {
        try (InputStream resource = Objects.requireNonNull(Page.class.getResourceAsStream(name), name)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\n\\s*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Page raw(String markup) {
        out.append(markup);
        return this;
    }

    Page element(String tag, String text) {
        return raw("<" + tag + ">").text(text).raw("</" + tag.split(" ", -1)[0] + ">\n");
    }

    /** Appends text, truncated if it is very long, with thin no-break spaces instead of commas between thousands. */
    Page text(String text) {
        return raw(escaped(cut(text, LONGEST_TEXT).replaceAll("(?<=\\d),(?=\\d{3})", "\u202f")));
    }

    /** Appends a label, truncated to about a line, with break opportunities for narrow screens. */
    Page breakable(String label) {
        int inWord = 0;
        for (int character : cut(label, LONGEST_LABEL).codePoints().toArray()) {
            inWord = Character.isWhitespace(character) ? 0 : inWord + 1;
            raw(inWord % LONGEST_WORD == LONGEST_WORD - 1 ? "<wbr>" : "");
            raw(escaped(Character.toString(character)));
        }
        return this;
    }

    private static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
    }

    /** Appends text to be copied: neither shortened nor set. */
    Page code(String text) {
        return raw("<code>" + escaped(text) + "</code>");
    }

    /** Appends a value: a link, or text. */
    Page value(Object value) {
        return value instanceof Link link
                ? raw("<a href=\"" + escaped(link.address()) + "\" rel=\"noreferrer\" title=\"" + escaped(link.text())
                                + "\">")
                        .text(link.text())
                        .raw("</a>")
                : text(Value.text(value));
    }

    void figure(Picture picture) {
        raw("<figure><figcaption>").element("b", picture.title());
        raw("<span>").text(picture.description()).raw("</span></figcaption>");
        raw(picture.inPage(id())).raw("</figure>\n");
    }

    /** Appends a note if a list is longer than what the page shows of it. */
    void more(int count, int shown) {
        if (count > shown) {
            element("p class=\"note\"", Value.counted(count - shown, "more is", "more are") + " in the JSON.");
        }
    }

    /** Returns an identifier that the page does not have yet. */
    String id() {
        return "i" + ++ids;
    }

    /** Returns the page; nothing is appended afterwards. */
    String written() {
        return raw("</main></body></html>\n").out.toString();
    }

    /** Escapes text for elements and attributes of HTML and SVG; replaces characters that XML does not allow. */
    static String escaped(String text) {
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
        return (Character.isISOControl(c) && c != '\n' && c != '\t')
                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                || c == 0xFFFE
                || c == 0xFFFF;
    }
}
