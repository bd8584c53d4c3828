// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import java.time.Duration;

/**
 * What came of a simulation, in the time that counts.
 *
 * @param valuesPerSecond values that callers got, over all instances
 * @param reservationsPerSecond transactions on the row
 * @param busy the share of the time in which the row was held
 * @param p50Nanos how long half of the draws took at most, 0 from memory; of a value drawn inside a transaction, until it
 *     was known
 * @param p99Nanos how long 99 of 100 took at most
 * @param impatient the share of draws that took longer than {@link #PATIENCE}: the library would have failed them by then
 * @param lostInCrash what an instance has reserved and not dealt, over all of them and many moments
 * @param inFlight how far the highest value that was dealt lies above the lowest that is reserved and not dealt
 */
public record SimulationResult(
        double valuesPerSecond,
        double reservationsPerSecond,
        double busy,
        long p50Nanos,
        long p99Nanos,
        double impatient,
        Spread lostInCrash,
        Spread inFlight) {

    /** How long callers of the library wait unless told otherwise. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Of a number that was looked at again and again: its mean, and the largest that was seen. */
    public record Spread(double mean, long most) {}
}
