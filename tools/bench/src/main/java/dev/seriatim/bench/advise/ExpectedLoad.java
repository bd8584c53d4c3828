// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.GroupedSequence;
import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.bench.simulation.SimulationResult;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The load that all instances put on a store. Immutable.
 *
 * @param ofEach values that each instance draws per second, above 0
 * @param latency how long a reservation, or the caller's transaction, keeps the row; above 0
 * @param measuredRead how long a read of the counter takes; above 0; null if that is not known
 */
record ExpectedLoad(
        BigDecimal ofEach,
        int instances,
        Duration latency,
        @Nullable Duration measuredRead) {

    private static final BigDecimal HORIZON_SECONDS = new BigDecimal("0.1");
    private static final BigDecimal LATENCIES_PER_BLOCK = BigDecimal.valueOf(6);
    private static final BigDecimal HEADROOM = BigDecimal.valueOf(2);

    /** The share of the time for which transactions of random arrival can keep a row busy: beyond it, their queue grows. */
    private static final double MOST_BUSY = 0.9;

    BigDecimal perSecond() {
        return ofEach.multiply(BigDecimal.valueOf(instances));
    }

    /** Returns how long a read of the counter takes; as long as a reservation if that is not known. */
    Duration readLatency() {
        return measuredRead == null ? latency : measuredRead;
    }

    /**
     * Returns blocks by the rule of ADAPTIVE. The next block is fetched when 2 × rate × latency values are left, so that no caller waits,
     * also if all instances reserve at the same time. A block has the values drawn in 100 ms or in 6 latencies, whichever is longer; never
     * fewer than the mark.
     */
    SimulationPlan.Blocks blocks() {
        long mark = ceiling(HEADROOM.multiply(during(latency)));
        BigDecimal horizon = HORIZON_SECONDS.max(LATENCIES_PER_BLOCK.multiply(seconds(latency)));
        return new SimulationPlan.Blocks(Math.max(mark, ceiling(ofEach.multiply(horizon))), mark);
    }

    /** Returns how many callers of an instance share a call at this rate: the values requested in all during one. */
    long callers(Duration wait) {
        return ceiling(during(wait));
    }

    long callers() {
        return callers(latency);
    }

    /** Returns how many calls per second a caller can wait for, or the row can serve, one after another. */
    BigDecimal limit(Duration call) {
        return BigDecimal.ONE.divide(seconds(call), MathContext.DECIMAL64);
    }

    /** Returns whether a mode keeps the row from overflowing at this rate, and its callers within the default patience. */
    boolean carriedBy(DrawMode mode) {
        boolean shares = ModeProfile.of(mode).growsWithCallers();
        double sharing =
                !shares ? 1 : mode.drawsInTransaction() ? GroupedSequence.MOST_UNITS : Double.POSITIVE_INFINITY;
        return mode.dealsFromMemory()
                || !SimulationPlan.knows(mode)
                || (busy() <= MOST_BUSY * sharing && longestWait(shares).compareTo(SimulationResult.PATIENCE) <= 0);
    }

    /** Returns how long 99 % of callers wait at most for the row, by the law of queues; {@code shares}: for their turn and its end. */
    Duration longestWait(boolean shares) {
        double queue = busy() < 1 ? 2.5 * busy() / (1 - busy()) : Long.MAX_VALUE;
        double turns = shares ? Math.min(queue + 2, 2.0 * instances) : queue;
        return Duration.ofNanos((long) (turns * latency.toNanos()));
    }

    /** Returns the part of the rate that a mode reaches with the callers that wait at the same time. */
    BigDecimal reached(DrawMode mode) {
        if (mode.dealsFromMemory()) {
            return perSecond();
        }
        long callers = callers(mode.confirmsBlocks() ? readLatency() : latency);
        double call = seconds(latency).doubleValue();
        StoreTimes store = new StoreTimes(call, call, seconds(readLatency()).doubleValue());
        double limit = ModeProfile.of(mode).limit().perSecond((int) Math.min(Integer.MAX_VALUE, callers), store, 0);
        return perSecond().min(BigDecimal.valueOf(limit));
    }

    /** Returns the share of the time for which one reservation per value keeps the row busy; above 1 if the row cannot serve them. */
    double busy() {
        return during(latency).doubleValue();
    }

    /** Returns the reservations per second if each takes this number of values. */
    BigDecimal reservations(long values) {
        return perSecond().divide(BigDecimal.valueOf(values), MathContext.DECIMAL64);
    }

    /**
     * Returns the maximum part of the latency for which callers may work inside a transaction that they share so that GROUPED reaches
     * the rate. The rest is the reservation and its commit, for which only the first caller waits.
     */
    Duration longestWorkInGroups() {
        double whole = seconds(latency).doubleValue();
        int most = GroupedSequence.MOST_UNITS;
        double work = (most / perSecond().doubleValue() - whole) / (most - 1);
        return Duration.ofNanos((long) (Math.min(whole, work) * 1e9));
    }

    private BigDecimal during(Duration time) {
        return perSecond().multiply(seconds(time));
    }

    private static BigDecimal seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9);
    }

    private static long ceiling(BigDecimal positive) {
        return positive.setScale(0, RoundingMode.CEILING).longValueExact();
    }
}
