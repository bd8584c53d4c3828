// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.lab.bench.load.Workload;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * One run: who deals the numbers, its settings, and how clients come.
 *
 * @param mode who deals them
 * @param threads how many clients at a time
 * @param batchSize values per block, for modes that have one
 * @param lowWaterMark values left when the next block is fetched, for modes that have one
 * @param appLatency how long the simulated application transaction takes
 * @param workload how clients come
 * @param setting what it is part of, and what becomes of the numbers
 */
public record RunPlan(
        Contender mode,
        int threads,
        long batchSize,
        long lowWaterMark,
        Duration appLatency,
        Workload workload,
        Setting setting)
        implements DrawMode.Blocks {

    /** A run that is part of no scenario. */
    public RunPlan(
            Contender mode, int threads, long batchSize, long lowWaterMark, Duration appLatency, Workload workload) {
        this(mode, threads, batchSize, lowWaterMark, appLatency, workload, Setting.PLAIN);
    }

    public RunPlan with(Setting other) {
        return new RunPlan(mode, threads, batchSize, lowWaterMark, appLatency, workload, other);
    }

    /** The name of the scenario, or of the kind of experiment. */
    public String scenario() {
        return setting.scenario().isEmpty() ? workload.scenario() : setting.scenario();
    }

    /** How many numbers an iteration draws. */
    int numbersPerIteration() {
        return Math.max(1, setting.use().rows());
    }

    public long appLatencyNanos() {
        return appLatency.toNanos();
    }

    /** The block size, where it applies. */
    public OptionalLong batchSizeUsed() {
        return mode.hasBatchSize() ? OptionalLong.of(batchSize) : OptionalLong.empty();
    }

    /** The low-water mark, where it applies. */
    public OptionalLong lowWaterMarkUsed() {
        return mode.hasLowWaterMark() ? OptionalLong.of(lowWaterMark) : OptionalLong.empty();
    }

    /** Values per second at best, perhaps infinite, when a reservation takes so long; the rows of a scenario take their own time. */
    public double limitPerSecond(long reservationNanos) {
        if (setting.use().insertsRows() && !setting.scenario().isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        double second = TimeUnit.SECONDS.toNanos(1);
        return mode.limitPerSecond(threads, reservationNanos / second, appLatencyNanos() / second);
    }

    /** The mode and the settings that apply to it. */
    public String title() {
        return mode.label(this);
    }

    /** As {@link #title}, with the number of threads and where it belongs. */
    public String fullTitle() {
        String experiment = setting.experiment().isEmpty() ? "" : setting.experiment() + ": ";
        return experiment + title() + ", " + threads + (threads == 1 ? " thread" : " threads");
    }
}
