// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.sizing;

import dev.seriatim.Allocation;
import dev.seriatim.store.SequenceStore;
import java.util.concurrent.TimeUnit;

/**
 * Size and mark that follow what is measured, between bounds. Used under the line's lock.
 *
 * <p>What is measured, at every reservation, without a cost to {@code next()}:
 *
 * <ol>
 *   <li><em>rate</em>: values dealt per second over windows of at least 50 ms; rises at once, falls with a time constant
 *       of 2 s, by the clock, so that an idle sequence shrinks back.
 *   <li><em>latency</em>: from when a reservation is called for until it arrives; rises at once, falls by a tenth per
 *       reservation.
 *   <li><em>peak</em>: the most values dealt during one reservation; falls with a time constant of 20 s. This is what
 *       bursts need, which a rate does not show.
 *   <li><em>hunger</em>: when callers had to wait, twice the block that was too small; falls as the rate does.
 * </ol>
 *
 * <p>Mark = max(3 × rate × latency, 2 × peak): the rule 'mark above rate × latency' with head-room. Size = max(what the
 * rate uses up in 100 ms or in 4 latencies, mark, hunger). A crash thus loses about what is dealt in a tenth of a second,
 * or in seven latencies, and never more than the bounds allow.
 */
public final class AdaptiveSizing implements Sizing {

    private static final double WINDOW_SECONDS = 0.05;
    private static final double RATE_SECONDS = 2;
    private static final double PEAK_SECONDS = 20;
    private static final double HORIZON_SECONDS = 0.1;
    private static final double LATENCIES_PER_BLOCK = 4;
    private static final double RATE_HEADROOM = 3;
    private static final double BURST_HEADROOM = 2;

    private final Allocation.Adaptive bounds;
    private boolean begun;
    private long windowBegan;
    private long windowDealt;
    private long observed;
    private long sentDealt;
    private double rate;
    private double latency;
    private double peak;
    private double hunger;

    public AdaptiveSizing(Allocation.Adaptive bounds) {
        this.bounds = bounds;
    }

    @Override
    public long size() {
        if (!begun) {
            return SequenceStore.CACHE;
        }
        double horizon = Math.max(HORIZON_SECONDS, LATENCIES_PER_BLOCK * latency);
        double wanted = Math.max(Math.max(rate * horizon, hunger), mark());
        return Math.max(bounds.minBlock(), (long) Math.min((double) bounds.maxBlock(), wanted));
    }

    @Override
    public long lowWaterMark() {
        return (long) Math.min((double) bounds.maxBlock() * bounds.maxAhead(), Math.max(1, mark()));
    }

    private double mark() {
        return Math.max(RATE_HEADROOM * rate * latency, BURST_HEADROOM * peak);
    }

    @Override
    public int maxReservations() {
        return bounds.maxAhead();
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
        if (!begun) { // the first block is always waited for: that says nothing about the rate
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
