// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Mark;
import dev.seriatim.report.RowPlot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plots with a row per run: measured and published figures with the limit, and latencies. */
final class RowPlots {

    private interface Cell {
        @Nullable
        Double of(Figures run);
    }

    private RowPlots() {}

    /** Returns a plot of values per second. */
    static RowPlot throughput(List<Figures> runs, String across, Function<Figures, String> name) {
        return compared(runs, across, name, Figures::valuesPerSecond, RowPlots::published, Figures::limitPerSecond);
    }

    /** Returns a plot of the total duration. */
    static RowPlot times(List<Figures> runs) {
        return compared(
                runs,
                "milliseconds for all, less is better",
                Figures::label,
                Figures::totalMs,
                run -> run.published() == null ? null : run.published().totalMs(),
                run -> null);
    }

    /** Returns a plot of latency percentiles. */
    static RowPlot latencies(List<Figures> runs) {
        List<RowPlot.Column> columns = List.of(
                new RowPlot.Column("p50", Mark.CIRCLE, false),
                new RowPlot.Column("p90", Mark.DIAMOND, false),
                new RowPlot.Column("p99", Mark.TRIANGLE, false));
        List<Cell> cells = List.of(Figures::p50Ms, Figures::p90Ms, Figures::p99Ms);
        return new RowPlot("milliseconds", columns, rows(runs, Figures::label, cells), RowPlot.Joint.RANGE);
    }

    private static RowPlot compared(
            List<Figures> runs,
            String across,
            Function<Figures, String> name,
            Cell measured,
            Cell published,
            Cell limit) {
        List<RowPlot.Column> columns = new ArrayList<>(List.of(new RowPlot.Column("measured", Mark.CIRCLE, false)));
        List<Cell> cells = new ArrayList<>(List.of(measured));
        if (runs.stream().anyMatch(run -> published.of(run) != null)) {
            columns.add(new RowPlot.Column("published", Mark.DIAMOND, true));
            cells.add(published);
        }
        if (runs.stream().anyMatch(run -> limit.of(run) != null)) {
            columns.add(new RowPlot.Column("limit", Mark.TICK, false));
            cells.add(limit);
        }
        return new RowPlot(across, columns, rows(runs, name, cells), RowPlot.Joint.STEM);
    }

    private static List<RowPlot.Row> rows(List<Figures> runs, Function<Figures, String> name, List<Cell> cells) {
        List<RowPlot.Row> rows = new ArrayList<>();
        for (Figures run : runs) {
            List<@Nullable Double> figures = new ArrayList<>();
            cells.forEach(cell -> figures.add(cell.of(run)));
            rows.add(new RowPlot.Row(name.apply(run), figures));
        }
        return rows;
    }

    private static @Nullable Double published(Figures run) {
        Published published = run.published();
        return published == null ? null : published.valuesPerSecond();
    }
}
