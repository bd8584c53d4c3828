// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

import dev.seriatim.Allocation;
import dev.seriatim.store.SequenceStore;
import java.util.concurrent.TimeUnit;

/**
 * Adapts block size and low-water mark to measurements, within bounds. Used under the line's lock.
 *
 * <p>Measured at every reservation, at no cost to {@code next()}:
 *
 * <ol>
 *   <li><em>rate</em>: values requested per second, over windows of at least 50 ms and at least the latency. A value counts when
 *       its caller arrives, not when it is dealt; otherwise callers that have waited together count as a burst. Rises immediately
 *       and decays with a time constant of 2 s, by the clock, so that an idle sequence shrinks.
 *   <li><em>average</em>: the same with a time constant of 2 s in both directions. Predicts the demand beyond the next 100 ms,
 *       because a burst does not last as long as a queue at the row.
 *   <li><em>latency</em>: the time from requesting a reservation to its arrival. Rises immediately if two reservations in a row
 *       took longer; a single one at most doubles it. Falls by a fiftieth per reservation.
 *   <li><em>peak</em>: the maximum number of values requested during one reservation, or during a latency if the reservation took
 *       longer; decays with a time constant of 20 s. Covers bursts, which the rate does not show.
 *   <li><em>hunger</em>: the size of the last block, if callers waited for more values than it had.
 * </ol>
 *
 * <p>Mark = max(2 × expected demand in a latency, 2 × peak): the rule 'mark above rate × latency' with headroom. Size =
 * max(expected demand in 100 ms or in 6 latencies, mark); if there is hunger, twice that, and at least twice the hunger. A crash
 * thus loses roughly the values of a tenth of a second or of eight latencies, and never more than the bounds allow.
 *
 * <p>If many instances saturate the row, the latency is the time in its queue. Each instance then reserves more values, and less
 * often, until the queue is gone. The latency falls slowly, or all instances would shrink until they saturate the row again.
 */
public final class AdaptiveSizing implements Sizing {

    private static final double WINDOW_SECONDS = 0.05;
    private static final double RATE_SECONDS = 2;
    private static final double PEAK_SECONDS = 20;
    private static final double HORIZON_SECONDS = 0.1;
    private static final double LATENCY_RISE = 2;
    private static final double LATENCY_FALL = 0.02;
    private static final double LATENCIES_PER_BLOCK = 6;
    private static final double SHORT_LATENCY = HORIZON_SECONDS / LATENCIES_PER_BLOCK;
    private static final double RATE_HEADROOM = 2;
    private static final double BURST_HEADROOM = 2;
    private static final double GROWTH = 2;

    private final Allocation.Adaptive bounds;
    private boolean begun;
    private long windowBegan;
    private long windowWanted;
    private long observed;
    private long sentWanted;
    private double rate;
    private boolean averaged;
    private double average;

    private long firstWindowBegan;

    private double latency;

    private double tookBefore;

    /** Arrival of the last reservation that took longer than the latency, or of the first one. */
    private long slowAt;

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
        double used = Math.max(expected(Math.max(HORIZON_SECONDS, LATENCIES_PER_BLOCK * latency)), mark());
        double size = hunger > 0 ? GROWTH * Math.max(used, hunger) : used;
        return Math.max(bounds.minBlock(), (long) Math.min((double) bounds.maxBlock(), size));
    }

    @Override
    public long lowWaterMark() {
        return (long) Math.min((double) bounds.maxBlock() * bounds.maxAhead(), Math.max(1, mark()));
    }

    private double mark() {
        return Math.max(RATE_HEADROOM * expected(latency), BURST_HEADROOM * peak);
    }

    private double expected(double seconds) {
        double soon = Math.min(seconds, HORIZON_SECONDS);
        return rate * soon + (averaged ? average : rate) * (seconds - soon);
    }

    @Override
    public int maxReservations() {
        return bounds.maxAhead();
    }

    @Override
    public void sent(long now, long wanted) {
        if (begun) {
            observe(now, wanted);
        } else { // callers always wait for the first block, so earlier requests do not show the rate
            firstWindowBegan = now;
            windowBegan = now;
            windowWanted = wanted;
            observed = now;
        }
        sentWanted = wanted;
    }

    @Override
    public void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall) {
        double took = seconds(tookNanos);
        measureLatency(now, tookNanos);
        observe(now, wanted);
        double share = took > latency ? latency / took : 1;
        peak = Math.max(peak, (double) (wanted - sentWanted) * share);
        hunger = tooSmall ? (double) taken : 0;
        begun = true;
    }

    /**
     * A pause delays all reservations under way, so only one of them counts. The first reservation counts in full: if many
     * instances start together, it shows the queue.
     */
    private void measureLatency(long now, long tookNanos) {
        double took = seconds(tookNanos);
        if (begun && took <= latency) {
            latency += (took - latency) * LATENCY_FALL;
        } else if (!begun || now - tookNanos - slowAt >= 0) {
            double believed = Math.max(tookBefore, Math.max(LATENCY_RISE * latency, SHORT_LATENCY));
            latency = begun ? Math.min(took, believed) : took;
            slowAt = now;
        } else {
            return;
        }
        tookBefore = took;
    }

    private void observe(long now, long wanted) {
        double passed = seconds(now - observed);
        observed = now;
        peak *= Math.exp(-passed / PEAK_SECONDS);
        double window = seconds(now - windowBegan);
        double shortest = Math.max(WINDOW_SECONDS, latency);
        long more = Math.max(0, wanted - windowWanted); // decreases when waiting callers fail
        double measured = (double) more / Math.max(window, shortest);
        if (measured > rate) {
            rate = measured;
        }
        if (window >= shortest) {
            double weight = 1 - Math.exp(-window / RATE_SECONDS);
            rate += (measured - rate) * weight;
            average += (measured - average) * Math.max(weight, window / seconds(now - firstWindowBegan));
            averaged = true;
            windowBegan = now;
            windowWanted = wanted;
        }
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
