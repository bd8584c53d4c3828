// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Writes a page of HTML from top to bottom; all text is escaped. The page has neither scripts nor external resources. Not
 * thread-safe.
 */
public final class Page {

    private static final int LONGEST_TEXT = 2000;
    private static final int LONGEST_LABEL = 80;
    private static final int LONGEST_WORD = 18;

    private final StringBuilder out = new StringBuilder();
    private int pictures;
    private int tables;

    /** Begins a page. */
    public Page(String title) {
        raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                + "<meta name=\"color-scheme\" content=\"light dark\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';img-src data:\">"
                + "<link rel=\"icon\" href=\"data:,\">");
        element("title", title);
        raw("<style>" + Picture.style() + style() + "</style></head><body><main>\n");
    }

    /** Appends markup. */
    public Page raw(String markup) {
        out.append(markup);
        return this;
    }

    /** Appends an element with text. */
    public Page element(String tag, String text) {
        return raw("<" + tag + ">").text(text).raw("</" + tag.split(" ", -1)[0] + ">\n");
    }

    /** Appends text, truncated if it is very long, with thin spaces between thousands. */
    public Page text(String text) {
        String shown = text.codePointCount(0, text.length()) > LONGEST_TEXT
                ? text.substring(0, text.offsetByCodePoints(0, LONGEST_TEXT)) + "…"
                : text;
        return raw(Markup.escaped(thin(shown)));
    }

    /** Appends a picture with its title, unless it is empty. */
    Page figure(Picture picture) {
        if (!picture.plot().isEmpty()) {
            pictures++;
            raw("<figure><figcaption>").element("b", picture.title());
            raw("<span>").text(picture.description()).raw("</span></figcaption>");
            raw(picture.inPage("p" + pictures)).raw("</figure>\n");
        }
        return this;
    }

    /** Appends a box that scrolls, so that the page never scrolls sideways. */
    public Page box(String name, String table) {
        return raw("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .text(name)
                .raw("\">" + table + "</div>\n");
    }

    /** Begins a table, in a box if it may scroll sideways. On paper it has this number of columns, or all if that is 0. */
    Page beginTable(String name, boolean scrolls, int onPaper) {
        tables++;
        if (scrolls) {
            raw("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"")
                    .text(name)
                    .raw("\">");
        }
        if (onPaper > 0) {
            raw("<style>@media print{#t" + tables + " tr>:nth-child(n+" + (onPaper + 1) + "){display:none}}</style>");
        }
        String look = scrolls ? onPaper > 0 ? "figures" : "" : "words";
        return raw("<table id=\"t" + tables + "\" class=\"" + look + "\"><thead><tr>");
    }

    Page endTable(boolean scrolls) {
        return raw(scrolls ? "</table></div>\n" : "</table>\n");
    }

    /** Appends a note if a list is longer than what the page shows of it. */
    Page more(int count, int shown) {
        return count > shown
                ? element("p class=\"note\"", Value.counted(count - shown, "more is", "more are") + " in the JSON.")
                : this;
    }

    /** Appends a value: a link, or text. */
    Page value(Object value) {
        return value instanceof Link link
                ? raw("<a href=\"" + Markup.escaped(link.address()) + "\" rel=\"noreferrer\" title=\""
                                + Markup.escaped(link.title()) + "\">")
                        .text(link.text())
                        .raw("</a>")
                : text(Value.text(value));
    }

    /** Appends a label, truncated to about a line, with break opportunities for narrow screens. */
    Page breakable(String label) {
        String shown = label.codePointCount(0, label.length()) <= LONGEST_LABEL
                ? label
                : label.substring(0, label.offsetByCodePoints(0, LONGEST_LABEL - 1)) + "…";
        int inWord = 0;
        for (int character : shown.codePoints().toArray()) {
            inWord = Character.isWhitespace(character) ? 0 : inWord + 1;
            raw(inWord % LONGEST_WORD == LONGEST_WORD - 1 ? "<wbr>" : "");
            raw(Markup.escaped(Character.toString(character)));
        }
        return this;
    }

    /** Returns the page; nothing is appended afterwards. */
    public String written() {
        return raw("</main></body></html>\n").out.toString();
    }

    /** Appends text to be copied: neither shortened nor set. */
    public Page code(String text) {
        return raw("<code>" + Markup.escaped(text) + "</code>");
    }

    /** Replaces the comma of 1,640 by a thin no-break space. */
    public static String thin(String text) {
        return text.replaceAll("(?<=\\d),(?=\\d{3})", "\u202f");
    }

    private static String style() {
        try (InputStream resource = Objects.requireNonNull(Page.class.getResourceAsStream("page.css"), "page.css")) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\n\\s*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
