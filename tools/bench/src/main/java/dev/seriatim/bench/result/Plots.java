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

    private static final int MOST_ROWS = 16;

    private static final String PUBLISHED = "published";

    private static final Map<String, Look> BASELINES = Map.ofEntries(
            Map.entry("STRIPED", new Look(6, Mark.TRIANGLE)),
            Map.entry("AUTO_INCREMENT", new Look(0, Mark.DIAMOND)),
            Map.entry("EMULATED", new Look(8, Mark.TRIANGLE)),
            Map.entry("NATIVE", new Look(9, Mark.SQUARE)),
            Map.entry("UUID", new Look(7, Mark.CIRCLE)),
            Map.entry("UUID_V4", new Look(7, Mark.CROSS)),
            Map.entry("UUID_V7", new Look(7, Mark.PLUS)),
            Map.entry("ATOMIC_LONG", new Look(0, Mark.PLUS)));

    private Plots() {}

    /** Returns the look of a mode or baseline, the same in every plot. */
    static Look look(String mode) {
        return DrawMode.named(mode)
                .map(known -> ModeProfile.of(known).look())
                .orElse(BASELINES.getOrDefault(mode, new Look(7, Mark.CIRCLE)));
    }

    /** Returns values per second over threads, measured and published. */
    static LinePlot overThreads(Experiment experiment, String upwards) {
        return lines(experiment.runs(), upwards, 330, Figures::valuesPerSecond, Plots::published);
    }

    /** Returns the same as ratios to a mode with the same number of threads; published figures to published ones. */
    static LinePlot ratios(Experiment experiment, String base) {
        return lines(
                experiment.othersThan(base),
                "ratio to " + base,
                230,
                run -> experiment.ratio(run, base, Figures::valuesPerSecond),
                run -> experiment.ratio(run, base, Plots::published));
    }

    static @Nullable Double published(Figures run) {
        return run.quoted(Published::valuesPerSecond);
    }

    private static LinePlot lines(
            List<Figures> runs,
            String upwards,
            double height,
            Function<Figures, @Nullable Double> measured,
            Function<Figures, @Nullable Double> published) {
        Map<String, Series> lines = new LinkedHashMap<>();
        for (Figures run : runs) {
            add(lines, run.label(), run, measured.apply(run), false);
        }
        for (Figures run : runs) {
            if (run.published() != null) {
                add(lines, run.published().name() + " (published)", run, published.apply(run), true);
            }
        }
        return new LinePlot("threads", upwards, List.copyOf(lines.values()), height);
    }

    private static void add(
            Map<String, Series> lines, String name, Figures run, @Nullable Double figure, boolean quoted) {
        if (figure == null) {
            return;
        }
        Series line = lines.getOrDefault(name, new Series(name, look(run.mode()), quoted, List.of()));
        List<Series.Point> points = new ArrayList<>(line.points());
        points.add(new Series.Point(run.threads(), figure));
        lines.put(name, new Series(name, line.look(), quoted, points));
    }

    static RowPlot throughput(List<Figures> runs, String across, Function<Figures, String> name) {
        return rows(
                runs,
                across,
                RowPlot.Joint.STEM,
                name,
                List.of(
                        new Cell("measured", Mark.CIRCLE, Figures::valuesPerSecond),
                        new Cell(PUBLISHED, Mark.DIAMOND, Plots::published),
                        new Cell("limit", Mark.TICK, Figures::limitPerSecond)));
    }

    static RowPlot times(List<Figures> runs) {
        return rows(
                runs,
                "milliseconds for all, less is better",
                RowPlot.Joint.STEM,
                Figures::label,
                List.of(
                        new Cell("measured", Mark.CIRCLE, Figures::totalMs),
                        new Cell(PUBLISHED, Mark.DIAMOND, run -> run.quoted(Published::totalMs))));
    }

    static RowPlot latencies(List<Figures> runs) {
        return rows(
                runs,
                "milliseconds",
                RowPlot.Joint.RANGE,
                Figures::label,
                List.of(
                        new Cell("p50", Mark.CIRCLE, Figures::p50Ms),
                        new Cell("p90", Mark.DIAMOND, Figures::p90Ms),
                        new Cell("p99", Mark.TRIANGLE, Figures::p99Ms)));
    }

    /** A column that is shown if a run has its figure. */
    private record Cell(String name, Mark mark, Function<Figures, @Nullable Double> figure) {}

    private static RowPlot rows(
            List<Figures> runs, String across, RowPlot.Joint joint, Function<Figures, String> name, List<Cell> all) {
        List<Cell> cells = all.stream()
                .filter(cell -> runs.stream().anyMatch(run -> cell.figure.apply(run) != null))
                .toList();
        List<RowPlot.Row> rows = new ArrayList<>();
        for (Figures run : runs.subList(0, Math.min(MOST_ROWS, runs.size()))) {
            List<@Nullable Double> figures = new ArrayList<>();
            cells.forEach(cell -> figures.add(cell.figure.apply(run)));
            rows.add(new RowPlot.Row(name.apply(run), figures));
        }
        List<RowPlot.Column> columns = cells.stream()
                .map(cell -> new RowPlot.Column(cell.name, cell.mark, cell.name.equals(PUBLISHED)))
                .toList();
        return new RowPlot(across, columns, rows, joint);
    }
}
