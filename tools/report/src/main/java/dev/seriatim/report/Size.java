// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The widths that plots are laid out for: text must stay legible, so narrow screens have their own layout. */
public enum Size {
    /** A window or a sheet of paper. */
    WIDE(800, 12.5),
    /** A phone, 360 pixels wide. */
    NARROW(340, 11);

    private static final String SLIM = "ijlI.,:;'|! \u202f";
    private static final String NARROW_LETTERS = "ftr()[]/-\"";
    private static final String BROAD = "mwMW@%—…";

    /** The width in pixels at full size. */
    final double width;

    final double fontSize;
    final double lineHeight;

    Size(double width, double fontSize) {
        this.width = width;
        this.fontSize = fontSize;
        this.lineHeight = Math.ceil(fontSize * 1.24);
    }

    double widthOf(String text) {
        return inEms(text) * fontSize;
    }

    /** Returns the maximum width of the widest text; 0 if there is none. */
    double widest(Stream<String> texts) {
        return texts.mapToDouble(this::widthOf).max().orElse(0);
    }

    List<String> wrap(String text, double width, int mostLines) {
        return lines(text, width / fontSize, mostLines);
    }

    /**
     * Returns a width in multiples of the font size, in the widest of the common fonts (DejaVu Sans, Verdana). The reader's font is unknown,
     * but text that fits in these fits in all.
     */
    private static double inEms(String text) {
        return text.codePoints().mapToDouble(Size::inEms).sum();
    }

    private static double inEms(int character) {
        if (SLIM.indexOf(character) >= 0) {
            return 0.36;
        }
        if (NARROW_LETTERS.indexOf(character) >= 0) {
            return 0.46;
        }
        if (character >= 0x2E80 || BROAD.indexOf(character) >= 0) {
            return 1.02;
        }
        return Character.isUpperCase(character) ? 0.73 : 0.65;
    }

    /** Breaks text between words, or within a long one, into a maximum number of lines; the rest becomes an ellipsis. */
    static List<String> lines(String text, double ems, int atMost) {
        List<String> lines = new ArrayList<>();
        String rest = text.strip().replaceAll("\\s+", " ");
        while (inEms(rest) > ems) {
            String head = head(rest, ems);
            int blank = rest.lastIndexOf(' ', head.length());
            String line = blank > 0 ? rest.substring(0, blank) : head;
            lines.add(line);
            rest = rest.substring(line.length()).stripLeading();
        }
        lines.add(rest);
        if (lines.size() > atMost) {
            lines.subList(atMost, lines.size()).clear();
            lines.set(atMost - 1, head(lines.get(atMost - 1), ems - inEms("…")) + "…");
        }
        return lines;
    }

    /** Returns as much as fits, but at least one character. */
    private static String head(String text, double ems) {
        int end = text.offsetByCodePoints(0, 1);
        while (end < text.length() && inEms(text.substring(0, text.offsetByCodePoints(end, 1))) <= ems) {
            end = text.offsetByCodePoints(end, 1);
        }
        return text.substring(0, end);
    }
}
