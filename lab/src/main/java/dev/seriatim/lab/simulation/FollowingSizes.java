// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import dev.seriatim.Allocation;
import dev.seriatim.SequenceDefinition;
import java.util.concurrent.TimeUnit;

/**
 * Size and mark as the mode ADAPTIVE finds them: the library's rule once more, since its own class is not to be used from
 * outside; a test holds the two together, step by step.
 */
public final class FollowingSizes implements Sizes {

    private static final double WINDOW_SECONDS = 0.05;
    private static final double RATE_SECONDS = 2;
    private static final double PEAK_SECONDS = 20;
    private static final double HORIZON_SECONDS = 0.1;
    private static final double LATENCIES_PER_BLOCK = 4;
    private static final double RATE_HEADROOM = 3;
    private static final double BURST_HEADROOM = 2;

    private boolean begun;
    private long windowBegan;
    private long windowDealt;
    private long observed;
    private long sentDealt;
    private double rate;
    private double latency;
    private double peak;
    private double hunger;

    /** Before anything was measured; the first block is as large as the default cache of a sequence. */
    public FollowingSizes() {}

    @Override
    public long size() {
        if (!begun) {
            return SequenceDefinition.DEFAULT_CACHE;
        }
        double horizon = Math.max(HORIZON_SECONDS, LATENCIES_PER_BLOCK * latency);
        double wanted = Math.max(Math.max(rate * horizon, hunger), mark());
        return Math.max(Allocation.Adaptive.DEFAULT_MIN_BLOCK, (long)
                Math.min((double) Allocation.Adaptive.DEFAULT_MAX_BLOCK, wanted));
    }

    @Override
    public long lowWaterMark() {
        double most = (double) Allocation.Adaptive.DEFAULT_MAX_BLOCK * Allocation.Adaptive.DEFAULT_MAX_AHEAD;
        return (long) Math.min(most, Math.max(1, mark()));
    }

    private double mark() {
        return Math.max(RATE_HEADROOM * rate * latency, BURST_HEADROOM * peak);
    }

    @Override
    public int maxFlights() {
        return Allocation.Adaptive.DEFAULT_MAX_AHEAD;
    }

    @Override
    public void sent(long now, long dealt) {
        if (begun) {
            observe(now, dealt);
        }
        sentDealt = dealt;
    }

    @Override
    public void arrived(long now, long dealt, long taken, long tookNanos, boolean ranDry) {
        double took = seconds(tookNanos);
        latency = took > latency ? took : latency + (took - latency) * 0.1;
        if (!begun) {
            begun = true;
            windowBegan = now;
            windowDealt = dealt;
            observed = now;
            return;
        }
        observe(now, dealt);
        peak = Math.max(peak, (double) (dealt - sentDealt));
        if (ranDry) {
            hunger = Math.max(hunger, 2.0 * taken);
        }
    }

    private void observe(long now, long dealt) {
        double passed = seconds(now - observed);
        observed = now;
        peak *= Math.exp(-passed / PEAK_SECONDS);
        hunger *= Math.exp(-passed / RATE_SECONDS);
        double window = seconds(now - windowBegan);
        double measured = (double) (dealt - windowDealt) / Math.max(window, WINDOW_SECONDS);
        if (measured > rate) {
            rate = measured;
        }
        if (window >= WINDOW_SECONDS) {
            rate += (measured - rate) * (1 - Math.exp(-window / RATE_SECONDS));
            windowBegan = now;
            windowDealt = dealt;
        }
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
