// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import dev.seriatim.lab.plot.Markup;
import dev.seriatim.lab.plot.Picture;
import java.util.ArrayList;
import java.util.List;

/** Writes a page of HTML from top to bottom; all text is escaped. Not thread-safe. */
final class Page {

    private static final int LONGEST_TEXT = 300;

    private final StringBuilder out = new StringBuilder();
    private final List<Picture> pictures = new ArrayList<>();

    /** Appends markup. */
    Page raw(String markup) {
        out.append(markup);
        return this;
    }

    /** Appends an element with text. */
    Page element(String tag, String text) {
        return raw("<" + tag + ">").text(text).raw("</" + tag.split(" ", -1)[0] + ">\n");
    }

    /** Appends text, truncated if it is very long, with thin spaces between thousands. */
    Page text(String text) {
        String shown = text.codePointCount(0, text.length()) > LONGEST_TEXT
                ? text.substring(0, text.offsetByCodePoints(0, LONGEST_TEXT)) + "…"
                : text;
        return raw(Markup.escaped(thin(shown)));
    }

    /** Appends a link to a publication. */
    Page link(Publication to, String text) {
        return raw(linkTo(to, text));
    }

    /** Returns the link as markup. */
    static String linkTo(Publication to, String text) {
        return "<a href=\"" + Markup.escaped(to.address()) + "\" rel=\"noreferrer\" title=\""
                + Markup.escaped(to.title()) + "\">" + Markup.escaped(text) + "</a>";
    }

    /** Appends a picture with its title, unless it is empty. */
    Page figure(Picture picture) {
        if (!picture.plot().isEmpty()) {
            pictures.add(picture);
            raw("<figure><figcaption>").element("b", picture.title());
            raw("<span>").text(picture.description()).raw("</span></figcaption>");
            raw(picture.inPage("p" + pictures.size())).raw("</figure>\n");
        }
        return this;
    }

    /** Appends a box that scrolls, so that the page never scrolls sideways. */
    Page box(String name, String table) {
        return raw("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .text(name)
                .raw("\">" + table + "</div>\n");
    }

    /** The pictures so far. */
    List<Picture> pictures() {
        return List.copyOf(pictures);
    }

    String written() {
        return out.toString();
    }

    /** Replaces the comma of 1,640 by a thin no-break space. */
    static String thin(String text) {
        return text.replaceAll("(?<=\\d),(?=\\d{3})", "\u202f");
    }
}
