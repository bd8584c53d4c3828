// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints sequences as text. */
final class StateText {

    private StateText() {}

    /** Prints one sequence, one property per line. */
    static void lines(SequenceState state, PrintWriter out) {
        SequenceDefinition definition = state.definition();
        line(out, "name", OneLine.of(definition.name()));
        line(out, "next value", next(state));
        line(out, "start with", definition.start());
        line(out, "increment by", definition.increment());
        line(out, "min value", definition.min());
        line(out, "max value", definition.max());
        line(out, "cycle", definition.cycle() ? "yes" : "no");
        line(out, "cache", definition.cache());
        line(out, "used", used(state));
        line(out, "values left", state.valuesLeft());
    }

    static void lines(PoolState pool, PrintWriter out) {
        line(out, "laid out", pool.count());
        line(out, "claimed", pool.claimed() + ", by open transactions");
        line(
                out,
                "uncommitted",
                pool.lowest().isPresent() ? "from " + pool.lowest().getAsLong() : "none");
    }

    /** Prints many sequences, one per line. */
    static void table(List<SequenceState> states, PrintWriter out) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"NAME", "NEXT VALUE", "STEP", "MIN", "MAX", "CYCLE", "CACHE", "USED", "LEFT"});
        for (SequenceState state : states) {
            SequenceDefinition definition = state.definition();
            rows.add(new String[] {
                OneLine.of(definition.name()),
                next(state),
                Long.toString(definition.increment()),
                Long.toString(definition.min()),
                Long.toString(definition.max()),
                definition.cycle() ? "yes" : "no",
                Long.toString(definition.cache()),
                used(state),
                state.valuesLeft().toString()
            });
        }
        columns(rows, out);
    }

    static void line(PrintWriter out, String what, Object value) {
        out.println(what + " ".repeat(Math.max(1, 14 - what.length())) + value);
    }

    private static String next(SequenceState state) {
        return NextValue.of(state).map(String::valueOf).orElse("used up");
    }

    private static String used(SequenceState state) {
        return String.format(Locale.ROOT, "%.2f %%", state.usedRatio() * 100);
    }

    /** Prints rows as aligned columns: the first aligned left, all others right. */
    private static void columns(List<String[]> rows, PrintWriter out) {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], length(row[i]));
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder(row[0]).append(" ".repeat(widths[0] - length(row[0])));
            for (int i = 1; i < row.length; i++) {
                line.append("  ").append(" ".repeat(widths[i] - length(row[i]))).append(row[i]);
            }
            out.println(line);
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
