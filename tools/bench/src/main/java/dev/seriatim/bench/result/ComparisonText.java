// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.terminal.Columns;
import dev.seriatim.cli.terminal.OneLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints a comparison as text. Not thread-safe. */
final class ComparisonText {

    private final String first;
    private final String second;
    private final PrintWriter out;

    /** Prints it with the names of both files. */
    ComparisonText(String first, String second, PrintWriter out) {
        this.first = OneLine.of(first);
        this.second = OneLine.of(second);
        this.out = out;
    }

    void print(Comparison comparison) {
        out.println("A: " + first);
        out.println("B: " + second);
        if (!comparison.differences().isEmpty()) {
            out.println(
                    "measured under different conditions: " + OneLine.of(String.join("; ", comparison.differences())));
        }
        out.println();
        if (comparison.pairs().isEmpty()) {
            out.println("the files have no run in common");
        } else {
            Columns.print(rows(comparison), out);
        }
        alone("only in A: ", comparison.onlyFirst());
        alone("only in B: ", comparison.onlySecond());
        Double mean = comparison.meanRatio();
        if (mean != null) {
            out.println();
            out.println("geometric mean of B/A over "
                    + NumberFormats.counted(comparison.pairs().size(), "run") + ": " + NumberFormats.grouped(mean, 3));
        }
    }

    private static List<String[]> rows(Comparison comparison) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "run", "threads", "processes", "A values/s", "B values/s", "B/A", "A p99 ms", "B p99 ms", "B/A"
        });
        for (Comparison.Pair pair : comparison.pairs()) {
            Figures a = pair.first();
            Figures b = pair.second();
            rows.add(new String[] {
                name(a),
                "" + a.threads(),
                "" + a.processes(),
                NumberFormats.grouped(a.valuesPerSecond(), 1),
                NumberFormats.grouped(b.valuesPerSecond(), 1),
                ratio(pair.valuesRatio()),
                millis(a.p99Ms()),
                millis(b.p99Ms()),
                ratio(pair.p99Ratio())
            });
        }
        return rows;
    }

    private void alone(String where, List<Figures> runs) {
        runs.forEach(run -> out.println(where + name(run) + ", " + NumberFormats.counted(run.threads(), "thread")
                + (run.processes() > 1 ? ", " + run.processes() + " processes" : "")));
    }

    private static String name(Figures run) {
        List<String> words = new ArrayList<>(List.of(run.scenario(), run.experiment(), run.label()));
        words.removeIf(String::isEmpty);
        return OneLine.of(String.join(" / ", words));
    }

    private static String ratio(@Nullable Double ratio) {
        return ratio == null ? "-" : NumberFormats.grouped(ratio, 3);
    }

    private static String millis(double millis) {
        return millis > 0 ? NumberFormats.grouped(millis, 3) : "-";
    }
}
