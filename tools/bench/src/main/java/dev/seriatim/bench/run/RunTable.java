// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.OpenLoop;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Published;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.terminal.WrappedText;
import dev.seriatim.report.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
    private final List<RunPlan> plans;

    /** Creates a table for comparisons whose runs belong together. */
    RunTable(List<PlannedComparison> comparisons) {
        plans = comparisons.stream()
                .flatMap(comparison -> comparison.plans().stream())
                .toList();
        boolean published = any(plan -> PublishedFigures.of(plan).isPresent());
        boolean bare =
                any(plan -> plan.mode().dealsFromMemory() && plan.appLatency().isZero());
        add("mode", widest(4, plan -> plan.mode().name()), 0, Figures::mode);
        if (any(plan -> plan.mode().hasBatchSize())) {
            add("block", widest(5, RunTable::block), 0, run -> Objects.requireNonNullElse(run.block(), NOTHING));
        }
        add("threads", 7, 0, run -> Integer.toString(run.threads()));
        if (plans.get(0).scenario().equals("dsql")) {
            add("total ms", 8, 0, run -> number(run.totalMs()));
            if (published) {
                add("published ms", 12, 0, run -> number(run.quoted(Published::totalMs)));
            }
            add("mean ms", 7, 3, run -> number(run.meanMs()));
        } else {
            add("values/s", bare ? 10 : 8, 0, run -> number(run.valuesPerSecond()));
            if (any(plan -> Double.isFinite(plan.limitPerSecond(ANY_STORE)))) {
                add("of limit", 8, 4, run -> ratio(run.limitRatio()));
            }
            if (published) {
                add("published/s", 11, 0, run -> number(run.quoted(Published::valuesPerSecond)));
            }
        }
        if (comparisons.stream().anyMatch(comparison -> comparison.rounds() > 1)) {
            add("rounds", 6, 5, RunTable::spread);
        }
        if (any(plan -> plan.workload() instanceof OpenLoop)) {
            add("reserved/used", 13, 1, run -> ratio(run.reservedPerUsed()));
        }
        add("p50 ms", 7, 0, run -> latency(run.p50Ms()));
        add("p90 ms", 7, 2, run -> latency(run.p90Ms()));
        add("p99 ms", 7, 0, run -> latency(run.p99Ms()));
        add("max ms", 7, 3, run -> latency(run.maxMs()));
        while (headings().length() > WrappedText.WIDTH) {
            columns.remove(columns.stream()
                    .filter(column -> column.leftOut() > 0)
                    .min(Comparator.comparingInt(Column::leftOut))
                    .orElseThrow());
        }
    }

    String headings() {
        return line(Column::title);
    }

    String line(Figures run) {
        return line(column -> column.cell().apply(run));
    }

    /** Aligns the first column left, the others right. */
    private String line(Function<Column, String> cell) {
        return columns.stream()
                .map(column -> {
                    String text = cell.apply(column);
                    String pad = " ".repeat(Math.max(0, column.width() - text.length()));
                    return column.equals(columns.get(0)) ? text + pad : pad + text;
                })
                .collect(Collectors.joining(GAP));
    }

    private void add(String title, int width, int leftOut, Function<Figures, String> cell) {
        columns.add(new Column(title, width, leftOut, cell));
    }

    private boolean any(Predicate<RunPlan> which) {
        return plans.stream().anyMatch(which);
    }

    private int widest(int least, Function<RunPlan, String> cell) {
        return plans.stream().mapToInt(plan -> cell.apply(plan).length()).reduce(least, Math::max);
    }

    private static String block(RunPlan plan) {
        return plan.batchSize() + (plan.mode().hasLowWaterMark() ? "/" + plan.lowWaterMark() : "");
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
        return millis > 0 ? number(millis) : NOTHING;
    }

    /** Returns three significant digits below 1000, whole numbers above, and at most five decimals. */
    static String number(@Nullable Double number) {
        if (number == null) {
            return NOTHING;
        }
        return number >= 999.5 ? Value.grouped(number, 0) : Value.threeDigits(Math.round(number * 1e5) / 1e5);
    }

    static String ratio(@Nullable Double ratio) {
        return ratio == null || !Double.isFinite(ratio) ? NOTHING : Value.grouped(ratio, 2);
    }
}
