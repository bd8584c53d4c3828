// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.IntPredicate;

/** Prints rows as columns of equal width. Stateless. */
public final class TextTable {

    private TextTable() {}

    /** Prints rows of as many cells; a column that is not aligned left is aligned right. */
    public static void print(PrintWriter out, List<List<String>> rows, IntPredicate left) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - length(row.get(i)));
                line.append(i == 0 ? "" : "  ");
                line.append(left.test(i) ? row.get(i) + padding : padding + row.get(i));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
