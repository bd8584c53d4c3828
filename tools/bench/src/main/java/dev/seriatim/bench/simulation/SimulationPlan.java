// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;

/**
 * The input of a simulation. Immutable.
 *
 * @param mode the mode of all instances, one that {@link #knows}
 * @param blocks the shape of blocks; ignored by modes without one
 * @param store how long its calls take, above 0; a transaction that draws takes as long as a reservation, and the work
 * @param work how long a caller works: in SYNC and GROUPED inside the transaction, in the others before it draws again
 * @param counted the simulated time after the warm-up, which takes half as long
 */
public record SimulationPlan(
        DrawMode mode,
        Blocks blocks,
        Fleet fleet,
        Demand demand,
        StoreTimes store,
        Duration work,
        Duration counted,
        long seed) {

    /** Reservations in the default duration: a few seconds of processor time. */
    private static final long RESERVATIONS = 400_000;

    private static final long MOST_RESERVATIONS = 4_000_000;
    private static final int THREADS_AS_ONE_EVENT = 50;
    private static final double SECOND = 1e9;
    private static final Duration USUAL = Duration.ofSeconds(60);
    private static final int TURNS_OF_ALL = 10;

    /** The shape of blocks: values in each, and values left when the next is fetched; both at least 1. */
    public record Blocks(long size, long lowWaterMark) {}

    /** Instances, spread over regions in turn; the row is in the first. The round trip between regions is 0 if there is one. */
    public record Fleet(int instances, int regions, Duration roundTrip) {
        /** One instance beside its row. */
        public static final Fleet ONE = new Fleet(1, 1, Duration.ZERO);
    }

    public SimulationPlan {
        check(knows(mode), mode + " cannot be simulated; choose another mode");
        check(fleet.instances >= 1 && fleet.regions >= 1, "instances and regions must be at least 1");
        check(store.reservation() > 0 && store.row() > 0 && store.read() > 0, "latency must be above 0");
        check(store.row() <= store.reservation(), "a reservation keeps the row no longer than it takes");
        check(!counted.isZero() && !counted.isNegative(), "duration must be above 0");
        check(
                !(mode.dealsFromMemory() && demand instanceof Demand.Threads && work.isZero()),
                "only the work of callers limits a mode that deals from memory; make work longer than 0");
        double most = MOST_RESERVATIONS / effort(demand) * shortest(mode, store);
        check(
                counted.toNanos() <= most,
                "duration must be at most " + (long) (most / 1e9)
                        + "s at this latency, or the simulation takes minutes");
    }

    /** Returns whether the mode can be simulated. POOLED is bounded by the engine's rows, which are not simulated. */
    public static boolean knows(DrawMode mode) {
        return mode != DrawMode.POOLED;
    }

    /** Returns a duration in which every instance reserves several times, and which takes seconds to simulate. */
    public static Duration usualDuration(DrawMode mode, Fleet fleet, Demand demand, StoreTimes store) {
        double turns = TURNS_OF_ALL * fleet.instances * store.reservation() * SECOND;
        double most = RESERVATIONS / effort(demand) * shortest(mode, store);
        return Duration.ofNanos((long) Math.min(most, Math.max((double) USUAL.toNanos(), turns)));
    }

    public Duration warmUp() {
        return counted.dividedBy(2);
    }

    /** Returns the values per second that all callers request; infinite if it depends on how they are served. */
    public double wantedPerSecond() {
        return demand instanceof Demand.Rate rate ? rate.perSecond() * fleet.instances : Double.POSITIVE_INFINITY;
    }

    /** Returns the nanoseconds of the shortest call whose number grows with the duration. */
    private static double shortest(DrawMode mode, StoreTimes store) {
        double shortest = mode.confirmsBlocks() ? Math.min(store.read(), store.row()) : store.row();
        return shortest * SECOND;
    }

    private static double effort(Demand demand) {
        return demand instanceof Demand.Threads threads
                ? Math.max(1, threads.threads() / (double) THREADS_AS_ONE_EVENT)
                : 1;
    }

    private static void check(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }
}
