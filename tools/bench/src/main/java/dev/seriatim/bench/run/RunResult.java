// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Measured;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * The result of a run.
 *
 * @param plan the plan
 * @param limitPerSecond maximum values per second at the shortest times that were observed
 * @param measured the measurement
 * @param check the check of its numbers
 * @param reservedPerUsed values reserved per value drawn, for modes that reserve ahead
 */
public record RunResult(
        RunPlan plan,
        OptionalDouble limitPerSecond,
        Measured measured,
        SelfCheck check,
        OptionalDouble reservedPerUsed) {

    private static final double MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    public double valuesPerSecond() {
        return measured.numbers() * (double) TimeUnit.SECONDS.toNanos(1) / measured.nanos();
    }

    /** Returns the measured share of the limit. */
    OptionalDouble limitRatio() {
        return limitPerSecond.isPresent()
                ? OptionalDouble.of(valuesPerSecond() / limitPerSecond.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Returns a percentile of the latency, in milliseconds. */
    public double percentileMillis(double percent) {
        return measured.latencies().getValueAtPercentile(percent) / MILLISECOND;
    }

    double meanMillis() {
        return measured.latencies().getMean() / MILLISECOND;
    }

    double minMillis() {
        return measured.completed() == 0 ? 0 : measured.latencies().getMinValue() / MILLISECOND;
    }

    double totalMillis() {
        return measured.nanos() / MILLISECOND;
    }

    public double maxMillis() {
        return measured.latencies().getMaxValue() / MILLISECOND;
    }
}
