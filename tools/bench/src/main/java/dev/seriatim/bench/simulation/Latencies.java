// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts the draws after the warm-up, and their latencies. */
final class Latencies {

    private static final long LONGEST = TimeUnit.DAYS.toNanos(365);
    private static final int SLICES = 32;

    private final long countedFrom;
    private final long countedTo;
    private final Histogram histogram = new Histogram(LONGEST, 3);

    Latencies(long countedFrom, long countedTo) {
        this.countedFrom = countedFrom;
        this.countedTo = countedTo;
    }

    /** Records draws that got their values at a time, with their latency. */
    void took(long nanos, long count, long time) {
        if (count > 0 && time >= countedFrom && time < countedTo) {
            histogram.recordValueWithCount(Math.min(LONGEST, nanos), count);
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

    long count() {
        return histogram.getTotalCount();
    }

    /** Returns the share of draws that took longer. */
    double shareOver(long nanos) {
        long all = histogram.getTotalCount();
        return all == 0 ? 0 : (double) histogram.getCountBetweenValues(nanos, LONGEST) / all;
    }

    long percentileNanos(double percentile) {
        return histogram.getValueAtPercentile(percentile);
    }
}
