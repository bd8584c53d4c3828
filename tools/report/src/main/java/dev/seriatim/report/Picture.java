// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A plot with a title and a description for screen readers. Immutable.
 *
 * @param title a short title
 * @param description a description
 * @param plot the plot
 */
public record Picture(String title, String description, Plot plot) implements Part {

    @Override
    public boolean isEmpty() {
        return plot.isEmpty();
    }

    @Override
    public void append(Page page) {
        page.figure(this);
    }

    /** The style sheet of pictures, with colours for light and dark screens and for print. */
    public static String style() {
        try (InputStream resource = Objects.requireNonNull(Picture.class.getResourceAsStream("plot.css"), "plot.css")) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\n\\s*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns markup for a page: a wide and a narrow drawing, of which the {@link #style} shows one. */
    public String inPage(String id) {
        StringBuilder both = new StringBuilder("<div class=\"plot\">");
        for (Size size : Size.values()) {
            String name = size == Size.WIDE ? "wide" : "narrow";
            both.append(drawn(size, id + name.charAt(0), "class=\"" + name + "\"", ""));
        }
        return both.append("</div>").toString();
    }

    /** Returns a self-contained SVG file. */
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
