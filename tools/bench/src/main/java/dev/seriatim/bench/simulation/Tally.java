// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts the draws after the warm-up and their latencies, and samples the reserved values of all instances. */
final class Tally {

    private static final long LONGEST = TimeUnit.DAYS.toNanos(365);
    private static final int SLICES = 32;

    private final long countedFrom;
    private final long countedTo;
    private final Histogram latencies = new Histogram(LONGEST, 3);

    private long highestDealt;

    private long looks;
    private long instancesSeen;
    private double inHandSum;
    private long inHandMost;
    private double spreadSum;
    private long spreadMost;
    private long longestWaitNanos;

    Tally(long countedFrom, long countedTo) {
        this.countedFrom = countedFrom;
        this.countedTo = countedTo;
    }

    /** Records draws that got their values at a time, with their latency. */
    void took(long nanos, long count, long time) {
        if (count > 0 && time >= countedFrom && time < countedTo) {
            latencies.recordValueWithCount(Math.min(LONGEST, nanos), count);
        }
    }

    /** Records draws from memory, spread evenly over a period from its start. */
    void atOnce(long count, long from, long to) {
        took(0, Math.min(1, count), from);
        long begins = Math.max(from, countedFrom);
        long ends = Math.min(to, countedTo);
        if (ends > begins) {
            took(0, Math.round((double) (count - 1) * (ends - begins) / (to - from)), begins);
        } else if (to == from) {
            took(0, count - 1, from);
        }
    }

    /** Records draws whose callers arrived evenly over a period and got their values at the same time. */
    void cameBetween(long from, long to, long count, long time) {
        long slices = Math.min(count, SLICES);
        for (long i = 0; i < slices; i++) {
            long came = from + (long) ((to - from) * (i + 0.5) / slices);
            took(time - came, count * (i + 1) / slices - count * i / slices, time);
        }
    }

    void dealt(long value) {
        highestDealt = Math.max(highestDealt, value);
    }

    /** Samples all instances at one moment. */
    void look(Iterable<Instance> instances, long now) {
        long lowest = Long.MAX_VALUE;
        for (Instance instance : instances) {
            Instance.Hand hand = instance.hand(now);
            instancesSeen++;
            inHandSum += hand.count();
            inHandMost = Math.max(inHandMost, hand.count());
            lowest = Math.min(lowest, hand.lowest());
            longestWaitNanos = Math.max(longestWaitNanos, now - instance.waitingSince(now));
            dealt(hand.dealt());
        }
        long spread = Math.max(0, highestDealt - lowest);
        looks++;
        spreadSum += spread;
        spreadMost = Math.max(spreadMost, spread);
    }

    /** Returns the result, with the part of the row in it. */
    SimulationResult result(double reservationsPerSecond, double busy, long dealt, double reservedPerUsed) {
        long draws = latencies.getTotalCount();
        long patience = SimulationResult.PATIENCE.toNanos();
        return new SimulationResult(
                draws * 1e9 / (countedTo - countedFrom),
                reservationsPerSecond,
                busy,
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                draws == 0 ? 0 : (double) latencies.getCountBetweenValues(patience, LONGEST) / draws,
                new SimulationResult.Spread(inHandSum / instancesSeen, inHandMost),
                new SimulationResult.Spread(spreadSum / looks, spreadMost),
                dealt,
                reservedPerUsed,
                longestWaitNanos);
    }
}
