// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.report.LinePlot;
import dev.seriatim.report.Look;
import dev.seriatim.report.Mark;
import dev.seriatim.report.RowPlot;
import dev.seriatim.report.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The plots of the page: lines over threads, and rows of measured and published figures. */
final class Plots {

    /** Maximum rows of a plot. */
    private static final int MOST_ROWS = 16;

    private static final Map<String, Look> BASELINES = Map.ofEntries(
            Map.entry("STRIPED", new Look(6, Mark.TRIANGLE)),
            Map.entry("AUTO_INCREMENT", new Look(0, Mark.DIAMOND)),
            Map.entry("EMULATED", new Look(8, Mark.TRIANGLE)),
            Map.entry("NATIVE", new Look(9, Mark.SQUARE)),
            Map.entry("UUID", new Look(7, Mark.CIRCLE)),
            Map.entry("UUID_V4", new Look(7, Mark.CROSS)),
            Map.entry("UUID_V7", new Look(7, Mark.PLUS)),
            Map.entry("ATOMIC_LONG", new Look(0, Mark.PLUS)));

    private interface Cell {
        @Nullable
        Double of(Figures run);
    }

    private Plots() {}

    /** Returns the look of a mode or baseline, the same in every plot. */
    static Look look(String mode) {
        return DrawMode.named(mode)
                .map(known -> ModeProfile.of(known).look())
                .orElse(BASELINES.getOrDefault(mode, new Look(7, Mark.CIRCLE)));
    }

    /** Returns values per second over threads, measured and published. */
    static LinePlot overThreads(Experiment experiment, String upwards) {
        Map<String, Series> lines = new LinkedHashMap<>();
        for (Figures run : experiment.runs()) {
            add(lines, run.label(), run, run.valuesPerSecond(), false);
        }
        for (Figures run : experiment.runs()) {
            addPublished(lines, run, published(run));
        }
        return new LinePlot("threads", upwards, List.copyOf(lines.values()), 330);
    }

    /** Returns the same as ratios to a mode with the same number of threads; published figures to published ones. */
    static LinePlot ratios(Experiment experiment, String base) {
        Map<String, Series> lines = new LinkedHashMap<>();
        for (Figures run : experiment.othersThan(base)) {
            Double ratio = experiment.ratio(run, base, Figures::valuesPerSecond);
            if (ratio != null) {
                add(lines, run.label(), run, ratio, false);
            }
        }
        for (Figures run : experiment.othersThan(base)) {
            addPublished(lines, run, experiment.ratio(run, base, Plots::published));
        }
        return new LinePlot("threads", "ratio to " + base, List.copyOf(lines.values()), 230);
    }

    /** Returns the name of a published series. */
    static String name(Published published) {
        return published.name() + " (published)";
    }

    static @Nullable Double published(Figures run) {
        Published published = run.published();
        return published == null ? null : published.valuesPerSecond();
    }

    private static void addPublished(Map<String, Series> lines, Figures run, @Nullable Double figure) {
        Published published = run.published();
        if (published != null && figure != null) {
            add(lines, name(published), run, figure, true);
        }
    }

    private static void add(Map<String, Series> lines, String name, Figures run, double figure, boolean quoted) {
        List<Series.Point> points = new ArrayList<>();
        Series line = lines.get(name);
        if (line != null) {
            points.addAll(line.points());
        }
        points.add(new Series.Point(run.threads(), figure));
        lines.put(name, new Series(name, line == null ? look(run.mode()) : line.look(), quoted, points));
    }

    /** Returns a row per run of values per second. */
    static RowPlot throughput(List<Figures> runs, String across, Function<Figures, String> name) {
        return compared(runs, across, name, Figures::valuesPerSecond, Plots::published, Figures::limitPerSecond);
    }

    /** Returns a row per run of the total duration. */
    static RowPlot times(List<Figures> runs) {
        return compared(
                runs,
                "milliseconds for all, less is better",
                Figures::label,
                Figures::totalMs,
                run -> run.published() == null ? null : run.published().totalMs(),
                run -> null);
    }

    /** Returns a row per run of latency percentiles. */
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
        for (Figures run : runs.subList(0, Math.min(MOST_ROWS, runs.size()))) {
            List<@Nullable Double> figures = new ArrayList<>();
            cells.forEach(cell -> figures.add(cell.of(run)));
            rows.add(new RowPlot.Row(name.apply(run), figures));
        }
        return rows;
    }
}
