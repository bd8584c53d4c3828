// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.result.Recommendation;
import dev.seriatim.bench.result.Recommendations;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.List;

/** Prints the recommendations as a table for a terminal. Not thread-safe. */
final class UsesInText {

    private static final int LAST = 38; // where the last column begins

    private final PrintWriter out;

    UsesInText(PrintWriter out) {
        this.out = out;
    }

    void print(Measurements measurements) {
        List<Recommendations> tables = Recommendations.of(measurements);
        for (Recommendations table : tables) {
            WrappedText.lines("What do I use with " + table.work() + "?", 2).forEach(out::println);
            row("what you need", "take this", "what it costs here");
            table.rows().forEach(this::print);
            table.notMeasured().ifPresent(missing -> {
                out.println("not measured: " + String.join(", ", missing.modes())
                        + (missing.modes().size() == 1 ? "; measure it:" : "; measure them:"));
                out.println("  " + missing.command());
            });
            out.println();
        }
    }

    private void print(Recommendation row) {
        row(row.need(), row.take(), row.cost());
        if (!row.command().isEmpty()) {
            out.println("  " + row.command());
        }
    }

    private void row(String need, String take, String cost) {
        List<String> lines = WrappedText.ofColumn(cost, LAST);
        out.println(String.format("%-22s  %-12s  ", need, take) + lines.get(0));
        lines.stream().skip(1).forEach(line -> out.println(" ".repeat(LAST) + line));
    }
}
