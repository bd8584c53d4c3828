// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** Runs side by side: a column per figure, aligned; a column that no run has anything for is left out. Immutable. */
final class SummaryTable {

    private static final String NOTHING = "-";

    private final List<List<String>> columns;

    private SummaryTable(List<List<String>> columns) {
        this.columns = columns;
    }

    static SummaryTable of(List<RunResult> results, PublishedFigures published) {
        Columns columns = new Columns(results);
        columns.always("mode", r -> r.plan().mode().name());
        columns.whereAny("batch size", r -> whole(r.plan().batchSizeUsed()));
        columns.whereAny("mark", r -> whole(r.plan().lowWaterMarkUsed()));
        columns.always("threads", r -> Integer.toString(r.plan().threads()));
        columns.always("values/s", r -> decimal(1, r.valuesPerSecond()));
        columns.whereAny("published", r -> decimal(1, published.valuesPerSecond(r.plan())));
        columns.whereAny("limit", r -> decimal(1, r.limitPerSecond()));
        columns.whereAny("ratio", r -> decimal(2, r.limitRatio()));
        columns.always("p50 ms", r -> decimal(3, r.percentileMillis(50)));
        columns.always("p90 ms", r -> decimal(3, r.percentileMillis(90)));
        columns.always("p99 ms", r -> decimal(3, r.percentileMillis(99)));
        columns.always("max ms", r -> decimal(3, r.maxMillis()));
        columns.always("errors", r -> Long.toString(r.measured().errors()));
        columns.always("duplicates", r -> Long.toString(r.check().duplicates()));
        columns.always("order violations", r -> whole(r.check().orderViolations()));
        columns.always("gaps", r -> whole(r.check().gaps()));
        columns.whereAny("reserved/used", r -> decimal(2, r.reservedPerUsed()));
        return new SummaryTable(columns.made);
    }

    /** The first column is words and stands left, figures stand right. */
    void print(PrintWriter out) {
        int rows = columns.get(0).size();
        for (int row = 0; row < rows; row++) {
            StringBuilder line = new StringBuilder();
            for (List<String> column : columns) {
                int width = column.stream().mapToInt(String::length).max().orElse(1);
                String format = line.isEmpty() ? "%-" + width + "s" : "  %" + width + "s";
                line.append(String.format(Locale.ROOT, format, column.get(row)));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static final class Columns {
        final List<List<String>> made = new ArrayList<>();
        private final List<RunResult> results;

        Columns(List<RunResult> results) {
            this.results = results;
        }

        void always(String title, Function<RunResult, String> figure) {
            List<String> column = new ArrayList<>(List.of(title));
            results.forEach(result -> column.add(figure.apply(result)));
            made.add(column);
        }

        void whereAny(String title, Function<RunResult, String> figure) {
            if (results.stream().anyMatch(result -> !figure.apply(result).equals(NOTHING))) {
                always(title, figure);
            }
        }
    }

    private static String whole(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : NOTHING;
    }

    private static String decimal(int digits, OptionalDouble number) {
        return number.isPresent() ? decimal(digits, number.getAsDouble()) : NOTHING;
    }

    private static String decimal(int digits, double number) {
        return String.format(Locale.ROOT, "%." + digits + "f", number);
    }
}
