// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * One run: a mode, its settings, and how clients come.
 *
 * @param mode the mode
 * @param threads how many clients at a time
 * @param batchSize values per block, for modes that have one
 * @param lowWaterMark values left when the next block is fetched, for modes that have one
 * @param appLatency how long the simulated application transaction takes
 * @param workload how clients come
 */
record RunPlan(BenchMode mode, int threads, long batchSize, long lowWaterMark, Duration appLatency, Workload workload) {

    long appLatencyNanos() {
        return appLatency.toNanos();
    }

    /** The block size, where it applies. */
    OptionalLong batchSizeUsed() {
        return mode.hasBatchSize() ? OptionalLong.of(batchSize) : OptionalLong.empty();
    }

    /** The low-water mark, where it applies. */
    OptionalLong lowWaterMarkUsed() {
        return mode.hasLowWaterMark() ? OptionalLong.of(lowWaterMark) : OptionalLong.empty();
    }

    /** Values per second at best, perhaps infinite, when a reservation takes so long. */
    double limitPerSecond(long reservationNanos) {
        double second = TimeUnit.SECONDS.toNanos(1);
        return mode.limitPerSecond(threads, reservationNanos / second, appLatencyNanos() / second);
    }

    /** The mode and the settings that apply to it. */
    String title() {
        StringBuilder title = new StringBuilder(mode.name());
        batchSizeUsed().ifPresent(size -> title.append(", batch size ").append(size));
        lowWaterMarkUsed().ifPresent(mark -> title.append(", low-water mark ").append(mark));
        return title.toString();
    }

    /** As {@link #title}, with the number of threads. */
    String fullTitle() {
        return title() + ", " + threads + (threads == 1 ? " thread" : " threads");
    }
}
