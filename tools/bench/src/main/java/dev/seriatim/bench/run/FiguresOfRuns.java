// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.OpenLoop;
import dev.seriatim.bench.result.Figures;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts results into figures, and adds the published ones. Immutable. */
public record FiguresOfRuns(PublishedFigures published) {

    private static final double DECIMALS = 1e6; // as many as a nanosecond in milliseconds has

    /** Returns the figures of the median round by values per second, with the faults of all rounds. */
    Figures of(List<RunResult> rounds) {
        RunResult median = median(rounds);
        RunPlan plan = median.plan();
        Measured measured = median.measured();
        OpenLoop arrivals = plan.workload() instanceof OpenLoop open ? open : null;
        return new Figures(
                plan.scenario(),
                plan.setting().experiment(),
                plan.mode().name(),
                plan.title(),
                plan.threads(),
                plan.setting().processes(),
                measured.completed() + measured.errors(),
                whole(plan.batchSizeUsed()),
                whole(plan.lowWaterMarkUsed()),
                rounded(plan.appLatencyNanos() / 1e6),
                arrivals == null ? null : arrivals.perSecond(),
                arrivals == null ? null : arrivals.burst(),
                plan.setting().use().rows(),
                rounded(median.valuesPerSecond()),
                decimal(median.limitPerSecond()),
                rounded(median.meanMillis()),
                rounded(median.minMillis()),
                rounded(median.percentileMillis(50)),
                rounded(median.percentileMillis(75)),
                rounded(median.percentileMillis(90)),
                rounded(median.percentileMillis(99)),
                rounded(median.maxMillis()),
                rounded(median.totalMillis()),
                measured.errors(),
                rounds.stream().mapToLong(round -> round.check().duplicates()).sum(),
                sum(rounds, SelfCheck::orderViolations),
                sum(rounds, SelfCheck::gaps),
                decimal(median.reservedPerUsed()),
                rounds.stream().map(round -> rounded(round.valuesPerSecond())).toList(),
                published.of(plan).orElse(null));
    }

    /** Returns the run with the median values per second; of an even count, the lower of the two. */
    public static RunResult median(List<RunResult> rounds) {
        List<RunResult> sorted = rounds.stream()
                .sorted(Comparator.comparingDouble(RunResult::valuesPerSecond))
                .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    /** Returns null if nothing was promised. */
    private static @Nullable Long sum(List<RunResult> rounds, Function<SelfCheck, OptionalLong> count) {
        List<OptionalLong> counts =
                rounds.stream().map(RunResult::check).map(count).toList();
        return counts.get(0).isEmpty()
                ? null
                : (Long) counts.stream().mapToLong(found -> found.orElse(0)).sum();
    }

    private static @Nullable Long whole(OptionalLong number) {
        return number.isPresent() ? (Long) number.getAsLong() : null;
    }

    private static @Nullable Double decimal(OptionalDouble number) {
        return number.isPresent() ? (Double) rounded(number.getAsDouble()) : null;
    }

    private static double rounded(double number) {
        return Math.round(number * DECIMALS) / DECIMALS;
    }
}
