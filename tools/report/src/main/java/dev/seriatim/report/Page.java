// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes a page of HTML from top to bottom; all text is escaped. The page has neither scripts nor external resources. Not
 * thread-safe.
 */
public final class Page {

    private static final int LONGEST_TEXT = 300;

    private final StringBuilder out = new StringBuilder();
    private final List<Picture> pictures = new ArrayList<>();

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
    public Page figure(Picture picture) {
        if (!picture.plot().isEmpty()) {
            pictures.add(picture);
            raw("<figure><figcaption>").element("b", picture.title());
            raw("<span>").text(picture.description()).raw("</span></figcaption>");
            raw(picture.inPage("p" + pictures.size())).raw("</figure>\n");
        }
        return this;
    }

    /** Appends a box that scrolls, so that the page never scrolls sideways. */
    public Page box(String name, String table) {
        return raw("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .text(name)
                .raw("\">" + table + "</div>\n");
    }

    /** The pictures so far. */
    public List<Picture> pictures() {
        return List.copyOf(pictures);
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
