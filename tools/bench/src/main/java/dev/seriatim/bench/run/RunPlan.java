// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Workload;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The settings of one run. Immutable.
 *
 * @param mode the mode or baseline
 * @param threads number of concurrent clients
 * @param batchSize values per block, for modes that have one
 * @param lowWaterMark values left when the next block is fetched, for modes that have one
 * @param appLatency duration of the simulated application transaction
 * @param workload when iterations start, and how many there are
 * @param setting the scenario, and the use of the numbers
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

    /** Creates a run outside any scenario. */
    public RunPlan(
            Contender mode, int threads, long batchSize, long lowWaterMark, Duration appLatency, Workload workload) {
        this(mode, threads, batchSize, lowWaterMark, appLatency, workload, Setting.PLAIN);
    }

    /** Returns this plan with another contender. */
    public RunPlan with(Contender other) {
        return new RunPlan(other, threads, batchSize, lowWaterMark, appLatency, workload, setting);
    }

    public RunPlan with(Setting other) {
        return new RunPlan(mode, threads, batchSize, lowWaterMark, appLatency, workload, other);
    }

    /** Returns the name of the scenario, or of the workload. */
    public String scenario() {
        return setting.scenario().isEmpty() ? workload.scenario() : setting.scenario();
    }

    /** Returns the number of draws per iteration. */
    int numbersPerIteration() {
        return Math.max(1, setting.use().rows());
    }

    public long appLatencyNanos() {
        return appLatency.toNanos();
    }

    /** Returns the block size, if it applies. */
    public OptionalLong batchSizeUsed() {
        return mode.hasBatchSize() ? OptionalLong.of(batchSize) : OptionalLong.empty();
    }

    /** Returns the low-water mark, if it applies. */
    public OptionalLong lowWaterMarkUsed() {
        return mode.hasLowWaterMark() ? OptionalLong.of(lowWaterMark) : OptionalLong.empty();
    }

    /** Returns the maximum values per second on a store; infinite if a scenario inserts rows. */
    public double limitPerSecond(StoreTimes store) {
        if (setting.use().insertsRows() && !setting.scenario().isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        return mode.limitPerSecond(threads, store, appLatencyNanos() / (double) TimeUnit.SECONDS.toNanos(1));
    }

    /** Returns the mode and the settings that apply to it. */
    public String title() {
        return mode.label(this);
    }

    /** Returns the {@link #title} with the experiment and the number of threads. */
    public String fullTitle() {
        String experiment = setting.experiment().isEmpty() ? "" : setting.experiment() + ": ";
        return experiment + title() + ", " + threads + (threads == 1 ? " thread" : " threads");
    }
}
