// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.time.Duration;

/**
 * The result of a simulation, without the warm-up where nothing else is said. Immutable.
 *
 * @param valuesPerSecond values drawn, over all instances
 * @param reservationsPerSecond transactions on the row
 * @param busy the share of the time in which the row was held
 * @param p50Nanos the median latency of a draw, 0 from memory
 * @param impatient the share of draws that took longer than {@link #PATIENCE}, which the library would have failed
 * @param lostInCrash values reserved but not dealt by an instance, sampled over instances and time
 * @param inFlight the distance from the lowest value reserved but not dealt to the highest value dealt
 * @param dealt values dealt since the start, warm-up included
 * @param reservedPerUsed values reserved per value dealt since the start, warm-up included
 * @param longestWaitNanos the longest wait of a caller that was not yet served, sampled over all instances and time
 */
public record SimulationResult(
        double valuesPerSecond,
        double reservationsPerSecond,
        double busy,
        long p50Nanos,
        long p99Nanos,
        double impatient,
        Spread lostInCrash,
        Spread inFlight,
        long dealt,
        double reservedPerUsed,
        long longestWaitNanos) {

    /** The default patience of callers. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The mean and maximum of a sampled number. */
    public record Spread(double mean, long most) {}
}
