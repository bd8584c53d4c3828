// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.cli.Columns;
import dev.seriatim.cli.report.Figures;
import dev.seriatim.cli.report.Published;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs side by side: a column per figure; a column that no run has anything for is left out. Immutable. */
final class SummaryTable {

    private static final String NOTHING = "-";

    private final List<Figures> runs;
    private final List<List<String>> columns = new ArrayList<>();

    private SummaryTable(List<Figures> runs) {
        this.runs = runs;
    }

    /** Of runs that have an experiment in common. */
    static SummaryTable of(List<Figures> runs) {
        SummaryTable table = new SummaryTable(runs);
        table.always("mode", Figures::mode);
        table.whereAny("batch size", r -> whole(r.batchSize()));
        table.whereAny("mark", r -> whole(r.lowWaterMark()));
        table.always("threads", r -> Integer.toString(r.threads()));
        table.whereAny("processes", r -> r.processes() == 1 ? NOTHING : Integer.toString(r.processes()));
        table.always("values/s", r -> decimal(1, r.valuesPerSecond()));
        table.whereAny("published", r -> decimal(1, published(r, Published::valuesPerSecond)));
        table.whereAny("limit", r -> decimal(1, r.limitPerSecond()));
        table.whereAny("ratio", r -> decimal(2, r.limitRatio()));
        table.whereAny("total ms", r -> r.scenario().equals("dsql") ? decimal(3, r.totalMs()) : NOTHING);
        table.whereAny("published", r -> decimal(2, published(r, Published::totalMs)));
        table.whereAny("mean ms", r -> r.scenario().equals("dsql") ? decimal(3, r.meanMs()) : NOTHING);
        table.whereAny("published", r -> decimal(2, published(r, Published::meanMs)));
        table.always("p50 ms", r -> decimal(3, r.p50Ms()));
        table.whereAny("published", r -> decimal(0, published(r, Published::p50Ms)));
        table.always("p90 ms", r -> decimal(3, r.p90Ms()));
        table.always("p99 ms", r -> decimal(3, r.p99Ms()));
        table.whereAny("published", r -> decimal(0, published(r, Published::p99Ms)));
        table.always("max ms", r -> decimal(3, r.maxMs()));
        table.always("errors", r -> Long.toString(r.errors()));
        table.always("duplicates", r -> Long.toString(r.duplicates()));
        table.always("order violations", r -> whole(r.orderViolations()));
        table.always("gaps", r -> whole(r.gaps()));
        table.whereAny("reserved/used", r -> decimal(2, r.reservedPerUsed()));
        return table;
    }

    void print(PrintWriter out) {
        List<String[]> rows = new ArrayList<>();
        for (int row = 0; row <= runs.size(); row++) {
            int at = row;
            rows.add(columns.stream().map(column -> column.get(at)).toArray(String[]::new));
        }
        Columns.print(rows, out);
    }

    private void always(String title, Function<Figures, String> figure) {
        List<String> column = new ArrayList<>(List.of(title));
        runs.forEach(run -> column.add(figure.apply(run)));
        columns.add(column);
    }

    private void whereAny(String title, Function<Figures, String> figure) {
        if (runs.stream().anyMatch(run -> !figure.apply(run).equals(NOTHING))) {
            always(title, figure);
        }
    }

    private static @Nullable Double published(Figures run, Function<Published, @Nullable Double> figure) {
        return run.published() == null ? null : figure.apply(run.published());
    }

    private static String whole(@Nullable Long number) {
        return number == null ? NOTHING : Long.toString(number);
    }

    private static String decimal(int digits, @Nullable Double number) {
        return number == null ? NOTHING : String.format(Locale.ROOT, "%." + digits + "f", number);
    }
}
