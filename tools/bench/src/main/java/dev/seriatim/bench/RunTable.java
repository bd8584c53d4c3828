// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.load.OpenLoop;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Published;
import dev.seriatim.bench.run.PlannedComparison;
import dev.seriatim.bench.run.PublishedFigures;
import dev.seriatim.bench.run.RunPlan;
import dev.seriatim.bench.run.Setting;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.terminal.WrappedText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Formats a line of figures per run. Lines are printed as runs end, so the columns depend on the plans. If they exceed the width
 * of a terminal, the least important column is left out first. Immutable.
 */
final class RunTable {

    private static final String NOTHING = "-";
    private static final String GAP = "  ";
    private static final StoreTimes ANY_STORE = StoreTimes.of(1);

    /** A column with rank 0 is always shown. */
    private record Column(String title, int width, int leftOut, Function<Figures, String> cell) {}

    private final List<Column> columns = new ArrayList<>();

    /**
     * Creates a table for comparisons whose runs belong together.
     *
     * @param published the published figures
     */
    RunTable(List<PlannedComparison> comparisons, PublishedFigures published) {
        List<RunPlan> plans = comparisons.stream()
                .flatMap(comparison -> comparison.plans().stream())
                .toList();
        boolean timed = plans.get(0).scenario().equals("dsql");
        boolean quoted = any(plans, plan -> published.of(plan).isPresent());
        boolean bare = any(plans, plan -> plan.mode().dealsFromMemory() && plan.appLatencyNanos() == 0);
        add("mode", 4, plans, plan -> plan.mode().name(), Figures::mode);
        if (any(plans, plan -> plan.batchSizeUsed().isPresent())) {
            add("block", 5, plans, RunTable::block, RunTable::block);
        }
        add("threads", 7, 0, run -> Integer.toString(run.threads()));
        if (timed) {
            add("total ms", 8, 0, run -> TableNumber.of(run.totalMs()));
            addIf(quoted, "published ms", 12, 0, run -> TableNumber.of(theirs(run, Published::totalMs)));
            add("mean ms", 7, 3, run -> TableNumber.of(run.meanMs()));
        } else {
            add("values/s", bare ? 10 : 8, 0, run -> TableNumber.of(run.valuesPerSecond()));
            addIf(any(plans, RunTable::hasLimit), "of limit", 8, 4, run -> TableNumber.ratio(run.limitRatio()));
            addIf(quoted, "published/s", 11, 0, run -> TableNumber.of(theirs(run, Published::valuesPerSecond)));
        }
        if (any(comparisons, comparison -> comparison.rounds() > 1)) {
            add("rounds", 6, 5, RunTable::spread);
        }
        if (any(plans, plan -> plan.workload() instanceof OpenLoop)) {
            add("reserved/used", 13, 1, run -> TableNumber.ratio(run.reservedPerUsed()));
        }
        add("p50 ms", 7, 0, run -> latency(run.p50Ms()));
        add("p90 ms", 7, 2, run -> latency(run.p90Ms()));
        add("p99 ms", 7, 0, run -> latency(run.p99Ms()));
        add("max ms", 7, 3, run -> latency(run.maxMs()));
        while (width() > WrappedText.WIDTH) {
            columns.remove(columns.stream()
                    .filter(column -> column.leftOut() > 0)
                    .min(Comparator.comparingInt(Column::leftOut))
                    .orElseThrow());
        }
    }

    /** Returns the line of headings. */
    String headings() {
        return line(Column::title);
    }

    /** Returns the line of a run. */
    String line(Figures run) {
        return line(column -> column.cell().apply(run));
    }

    private String line(Function<Column, String> cell) {
        StringBuilder line = new StringBuilder();
        for (Column column : columns) {
            String text = cell.apply(column);
            String pad = " ".repeat(Math.max(0, column.width() - text.length()));
            line.append(line.isEmpty() ? text + pad : GAP + pad + text);
        }
        return line.toString();
    }

    private int width() {
        return columns.stream()
                        .mapToInt(column -> column.width() + GAP.length())
                        .sum()
                - GAP.length();
    }

    private void add(String title, int width, int leftOut, Function<Figures, String> cell) {
        columns.add(new Column(title, width, leftOut, cell));
    }

    private void addIf(boolean wanted, String title, int width, int leftOut, Function<Figures, String> cell) {
        if (wanted) {
            add(title, width, leftOut, cell);
        }
    }

    /** Adds a column that is wide enough for any of its cells. */
    private void add(
            String title,
            int least,
            List<RunPlan> plans,
            Function<RunPlan, String> before,
            Function<Figures, String> cell) {
        int widest = plans.stream()
                .mapToInt(plan -> before.apply(plan).length())
                .max()
                .orElse(0);
        add(title, Math.max(least, widest), 0, cell);
    }

    private static <T> boolean any(List<T> all, Predicate<T> which) {
        return all.stream().anyMatch(which);
    }

    private static boolean hasLimit(RunPlan plan) {
        return Double.isFinite(plan.limitPerSecond(ANY_STORE))
                && plan.setting().instances() == Setting.Instances.SHARED;
    }

    private static String block(RunPlan plan) {
        String mark = plan.lowWaterMarkUsed().isPresent()
                ? "/" + plan.lowWaterMarkUsed().getAsLong()
                : "";
        return plan.batchSizeUsed().isPresent() ? plan.batchSizeUsed().getAsLong() + mark : NOTHING;
    }

    private static String block(Figures run) {
        return Objects.requireNonNullElse(run.block(), NOTHING);
    }

    /** Returns the largest deviation of a round from the median. */
    private static String spread(Figures run) {
        DoubleSummaryStatistics all =
                run.rounds().stream().mapToDouble(Double::doubleValue).summaryStatistics();
        double median = run.valuesPerSecond();
        double furthest = Math.max(all.getMax() - median, median - all.getMin());
        if (run.rounds().size() < 2 || median <= 0) {
            return NOTHING;
        }
        long percent = Math.round(100 * furthest / median);
        return percent > 999 ? ">999%" : "±" + percent + "%";
    }

    private static String latency(double millis) {
        return millis > 0 ? TableNumber.of(millis) : NOTHING;
    }

    private static @Nullable Double theirs(Figures run, Function<Published, @Nullable Double> figure) {
        return run.published() == null ? null : figure.apply(run.published());
    }
}
