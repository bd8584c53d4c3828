// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.io.PrintWriter;
import java.util.List;

/** Prints rows as aligned columns: the first aligned left, all others right. Thread-safe. */
public final class Columns {

    private static final String GAP = "  ";

    private Columns() {}

    /** Prints the rows; all have as many cells as the first. */
    public static void print(List<String[]> rows, PrintWriter out) {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], length(row[i]));
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder(row[0]).append(" ".repeat(widths[0] - length(row[0])));
            for (int i = 1; i < row.length; i++) {
                line.append(GAP).append(" ".repeat(widths[i] - length(row[i]))).append(row[i]);
            }
            out.println(line);
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
