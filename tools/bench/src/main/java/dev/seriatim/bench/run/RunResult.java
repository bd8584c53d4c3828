// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.OpenLoop;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Published;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param limitPerSecond maximum values per second at the shortest times that were observed; null if there is none
 * @param reservedPerUsed values reserved per value drawn, for modes that reserve ahead
 */
record RunResult(
        RunPlan plan,
        @Nullable Double limitPerSecond,
        Measured measured,
        SelfCheck check,
        @Nullable Double reservedPerUsed) {

    private static final double SECOND = 1e9;
    private static final double MILLISECOND = 1e6;
    private static final double DECIMALS = 1e6; // as many as a nanosecond in milliseconds has

    double valuesPerSecond() {
        return measured.numbers() * SECOND / measured.nanos();
    }

    String firstError() {
        return measured.failure().isEmpty() ? "no free thread" : measured.failure();
    }

    /** Returns the round with the median values per second; of an even count, the lower of the two. */
    static RunResult median(List<RunResult> rounds) {
        List<RunResult> sorted = rounds.stream()
                .sorted(Comparator.comparingDouble(RunResult::valuesPerSecond))
                .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    /** Returns the figures of the median round, with the faults of all rounds, beside the published ones. */
    static Figures figures(List<RunResult> rounds, @Nullable Published published) {
        RunResult median = median(rounds);
        RunPlan plan = median.plan;
        Measured measured = median.measured;
        OpenLoop arrivals = plan.workload() instanceof OpenLoop open ? open : null;
        return new Figures(
                plan.scenario(),
                plan.setting().experiment(),
                plan.mode().name(),
                plan.title(),
                plan.threads(),
                plan.setting().processes(),
                measured.completed() + measured.errors(),
                plan.batchSizeUsed(),
                plan.lowWaterMarkUsed(),
                rounded(plan.appSeconds() * 1000),
                arrivals == null
                        ? null
                        : (Double) (arrivals.perSecond() * plan.setting().processes()),
                arrivals == null ? null : arrivals.burst(),
                plan.setting().rows(),
                rounded(median.valuesPerSecond()),
                roundedIfKnown(median.limitPerSecond),
                rounded(measured.latencies().getMean() / MILLISECOND),
                measured.completed() == 0 ? 0 : millis(measured.latencies().getMinValue()),
                percentile(measured, 50),
                percentile(measured, 75),
                percentile(measured, 90),
                percentile(measured, 99),
                millis(measured.latencies().getMaxValue()),
                millis(measured.nanos()),
                measured.errors(),
                rounds.stream().mapToLong(round -> round.check.duplicates()).sum(),
                sum(rounds, SelfCheck::orderViolations),
                sum(rounds, SelfCheck::gaps),
                roundedIfKnown(median.reservedPerUsed),
                rounds.stream().map(round -> rounded(round.valuesPerSecond())).toList(),
                published);
    }

    /** Returns null if nothing was promised. */
    private static @Nullable Long sum(List<RunResult> rounds, Function<SelfCheck, OptionalLong> count) {
        List<OptionalLong> counts =
                rounds.stream().map(RunResult::check).map(count).toList();
        return counts.get(0).isEmpty()
                ? null
                : (Long) counts.stream().mapToLong(found -> found.orElse(0)).sum();
    }

    private static double percentile(Measured measured, double percent) {
        return millis(measured.latencies().getValueAtPercentile(percent));
    }

    private static double millis(long nanos) {
        return rounded(nanos / MILLISECOND);
    }

    private static @Nullable Double roundedIfKnown(@Nullable Double number) {
        return number == null ? null : (Double) rounded(number);
    }

    private static double rounded(double number) {
        return Math.round(number * DECIMALS) / DECIMALS;
    }
}
