// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Prints sequences as text or JSON. Stateless. */
final class StateReport {

    private StateReport() {}

    /** Returns the properties of a sequence by their names; null for no value. */
    static Map<String, @Nullable Object> properties(SequenceState state) {
        SequenceDefinition definition = state.definition();
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("name", definition.name());
        properties.put("next value", NextValue.of(state).orElse(null));
        properties.put("start with", definition.start());
        properties.put("increment by", definition.increment());
        properties.put("min value", definition.min());
        properties.put("max value", definition.max());
        properties.put("cycle", definition.cycle());
        properties.put("cache", definition.cache());
        properties.put("used ratio", state.usedRatio());
        properties.put("values left", state.valuesLeft());
        return properties;
    }

    static void json(Object value, PrintWriter out) {
        JsonWriter json = JsonText.writer(out);
        try {
            JsonText.write(json, value);
            json.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println();
    }

    /** Prints one sequence as text, one property per line. */
    static void lines(SequenceState state, Optional<PoolState> pool, Map<String, String> details, PrintWriter out) {
        properties(state).forEach((what, value) -> line(what.replace(" ratio", ""), text(value), out));
        pool.ifPresent(numbers -> {
            OptionalLong lowest = numbers.lowest();
            line("laid out", numbers.count(), out);
            line("claimed", numbers.claimed() + ", by open transactions", out);
            line("uncommitted", lowest.isPresent() ? "from " + lowest.getAsLong() : "none", out);
        });
        details.forEach((what, value) -> line(what, OneLine.of(value), out));
    }

    private static void line(String what, Object value, PrintWriter out) {
        out.println(what + " ".repeat(Math.max(1, 14 - what.length())) + value);
    }

    /** Prints many sequences as text, one per line: the first column is aligned left, all others right. */
    static void table(List<SequenceState> states, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "NEXT VALUE", "STEP", "MIN", "MAX", "CYCLE", "CACHE", "USED", "LEFT"));
        for (SequenceState state : states) {
            Map<String, @Nullable Object> properties = properties(state);
            properties.remove("start with");
            rows.add(properties.values().stream().map(StateReport::text).toList());
        }
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(row.get(0)).append(" ".repeat(widths[0] - length(row.get(0))));
            for (int i = 1; i < widths.length; i++) {
                line.append("  ")
                        .append(" ".repeat(widths[i] - length(row.get(i))))
                        .append(row.get(i));
            }
            out.println(line);
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth ? "yes" : "no";
        }
        if (value instanceof Double ratio) {
            return String.format(Locale.ROOT, "%.2f %%", ratio * 100);
        }
        return value == null ? "used up" : OneLine.of(value.toString());
    }
}
