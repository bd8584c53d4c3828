// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Workload;
import dev.seriatim.bench.simulation.StoreTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one run. Immutable.
 *
 * @param batchSize values per block, for modes that have one
 * @param lowWaterMark values left when the next block is fetched, for modes that have one
 * @param workload when iterations start, and how many there are
 */
record RunPlan(
        Contender mode,
        int threads,
        long batchSize,
        long lowWaterMark,
        Duration appLatency,
        Workload workload,
        Setting setting) {

    RunPlan with(Contender other) {
        return new RunPlan(other, threads, batchSize, lowWaterMark, appLatency, workload, setting);
    }

    RunPlan sized(long size) {
        return new RunPlan(mode, threads, size, Math.min(size, lowWaterMark), appLatency, workload, setting);
    }

    /** Returns the name of the scenario, or of the workload. */
    String scenario() {
        return setting.scenario().isEmpty() ? workload.scenario() : setting.scenario();
    }

    int numbersPerIteration() {
        return Math.max(1, setting.rows());
    }

    double appSeconds() {
        return appLatency.toNanos() / 1e9;
    }

    /** Returns the block size; null if it does not apply. */
    @Nullable
    Long batchSizeUsed() {
        return mode.hasBatchSize() ? (Long) batchSize : null;
    }

    /** Returns the low-water mark; null if it does not apply. */
    @Nullable
    Long lowWaterMarkUsed() {
        return mode.hasLowWaterMark() ? (Long) lowWaterMark : null;
    }

    /** Returns the maximum values per second on a store; infinite if a scenario inserts rows, or reservations of instances overlap. */
    double limitPerSecond(StoreTimes store) {
        boolean several = setting.instancePerThread() || setting.processes() > 1;
        return several || (setting.insertsRows() && !setting.scenario().isEmpty())
                ? Double.POSITIVE_INFINITY
                : mode.limitPerSecond(threads, store, appSeconds());
    }

    /** Returns the mode and the settings that apply to it, unique in its experiment. */
    String title() {
        return mode.label(this);
    }

    /** Returns the {@link #title} with the experiment and the number of threads. */
    String fullTitle() {
        String experiment = setting.experiment().isEmpty() ? "" : setting.experiment() + ": ";
        return experiment + title() + ", " + threads + (threads == 1 ? " thread" : " threads");
    }
}
