// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines for a terminal. Thread-safe. */
public final class WrappedText {

    public static final int WIDTH = 100;

    private WrappedText() {}

    /** Returns lines of at most {@link #WIDTH} characters, all but the first indented; a longer word has its own line. */
    public static List<String> lines(String text, int indent) {
        return lines(text, indent, WIDTH);
    }

    /** Returns the same for the last column of a table; {@code from} is where the column starts. */
    public static List<String> ofColumn(String text, int from) {
        return lines(text, 0, WIDTH - from);
    }

    private static List<String> lines(String text, int indent, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        boolean first = true;
        for (String word : text.split(" ", -1)) {
            if (!line.toString().isBlank() && length(line) + 1 + length(word) > width) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent)).append(word);
            } else {
                line.append(first ? "" : " ").append(word);
            }
            first = false;
        }
        lines.add(line.toString());
        return lines;
    }

    private static int length(CharSequence text) {
        return text.toString().codePointCount(0, text.length());
    }
}
