// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.plot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A plot with what it is about, for those who cannot see it. Immutable and thread-safe.
 *
 * @param title what it shows, in a few words
 * @param description what is to be seen in it
 * @param plot the plot
 */
public record Picture(String title, String description, Plot plot) {

    /** How pictures look: rules and colours for light, dark and print, for the page that they stand in. */
    public static String style() {
        try (InputStream resource = Objects.requireNonNull(Picture.class.getResourceAsStream("plot.css"), "plot.css")) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\n\\s*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For a page: a drawing for wide windows and one for narrow ones, of which the {@link #style} shows one. */
    public String inPage(String id) {
        StringBuilder both = new StringBuilder("<div class=\"plot\">");
        for (Size size : Size.values()) {
            String name = size == Size.WIDE ? "wide" : "narrow";
            both.append(drawn(size, id + name.charAt(0), "class=\"" + name + "\"", ""));
        }
        return both.append("</div>").toString();
    }

    /** A file of its own. */
    public String asFile() {
        return drawn(Size.WIDE, "plot", "xmlns=\"http://www.w3.org/2000/svg\"", "<style>" + style() + "</style>")
                + "\n";
    }

    private String drawn(Size size, String id, String attributes, String before) {
        Plot.Drawing drawing = plot.draw(size);
        String height = Svg.number(Math.ceil(drawing.height()));
        String width = Svg.number(size.width());
        return "<svg " + attributes + " viewBox=\"0 0 " + width + " " + height + "\" width=\"" + width + "\" height=\""
                + height + "\" font-size=\"" + size.fontSize() + "\" role=\"img\" aria-labelledby=\"" + id + "t " + id
                + "d\"><title id=\"" + id + "t\">" + Markup.escaped(title) + "</title><desc id=\"" + id + "d\">"
                + Markup.escaped(description) + "</desc>" + before + drawing.elements() + "</svg>";
    }
}
