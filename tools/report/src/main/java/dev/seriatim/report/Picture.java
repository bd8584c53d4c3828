// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** A plot with a title and a description for screen readers. Immutable. */
public record Picture(String title, String description, Plot plot) {

    static final String STYLE = "plot.css";

    /** Returns markup for a page: a wide and a narrow drawing, of which the page's style shows one. */
    String inPage(String id) {
        return "<div class=\"plot\">" + drawn(Size.WIDE, id + "w", "class=\"wide\"", "")
                + drawn(Size.NARROW, id + "n", "class=\"narrow\"", "") + "</div>";
    }

    public String asFile() {
        String style = "<style>" + Page.resource(STYLE) + "</style>";
        return drawn(Size.WIDE, "plot", "xmlns=\"http://www.w3.org/2000/svg\"", style) + "\n";
    }

    private String drawn(Size size, String id, String attributes, String before) {
        Svg drawing = plot.draw(size);
        String height = Svg.number(Math.ceil(drawing.height()));
        String width = Svg.number(size.width);
        return "<svg " + attributes + " viewBox=\"0 0 " + width + " " + height + "\" width=\"" + width + "\" height=\""
                + height + "\" font-size=\"" + size.fontSize + "\" role=\"img\" aria-labelledby=\"" + id + "t " + id
                + "d\"><title id=\"" + id + "t\">" + Page.escaped(title) + "</title><desc id=\"" + id + "d\">"
                + Page.escaped(description) + "</desc>" + before + drawing.elements() + "</svg>";
    }
}
