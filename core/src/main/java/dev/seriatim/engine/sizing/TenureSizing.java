// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

/**
 * Determines how many values CONFIRMED reserves ahead, so that reading saves time. Guarded by the line's lock.
 *
 * <ol>
 *   <li>None, until the required number of consecutive reservations came from this instance.
 *   <li>Then twice as many as the last time, as long as no other session reserves.
 *   <li>None again once another session has reserved, because the reserved values are then lost. If the reads since the last
 *       loss saved more time than they took, the required number is halved; otherwise it is doubled.
 * </ol>
 */
public final class TenureSizing {

    private static final int MAX_REQUIRED = 64;
    private static final long GROWTH = 2;
    private static final double SMOOTHING = 0.2;

    private final long maxBlock;

    private long ahead;

    /** Reservations with no other session in between, and how many of them are required to reserve ahead. */
    private int consecutive;

    private int required = 1;

    private long confirmations;
    private double readNanos;
    private double reservationNanos;

    public TenureSizing(long maxBlock) {
        this.maxBlock = maxBlock;
    }

    public long size(long waiting, long inHand) {
        long size = waiting + Math.max(0, Math.min(ahead, maxBlock) - inHand);
        return size < 0 ? waiting : size;
    }

    /** Called when a read has confirmed the reserved values. */
    public void confirmed(long tookNanos) {
        read(tookNanos);
        confirmations++;
    }

    public void read(long tookNanos) {
        readNanos = smoothed(readNanos, tookNanos);
    }

    public void reserved(long tookNanos) {
        reservationNanos = smoothed(reservationNanos, tookNanos);
    }

    /** Called when a reservation of {@code count} values has followed the last one, with no other session in between. */
    public void followed(long count) {
        consecutive++;
        ahead = consecutive < required ? 0 : Math.min(maxBlock, Math.max(count, GROWTH * ahead));
    }

    /** Called when another session has reserved since the last reservation. */
    public void interrupted() {
        consecutive = 0;
        ahead = 0;
    }

    /** Called when reserved values were lost because another session reserved. */
    public void lost() {
        boolean paid = confirmations * (reservationNanos - readNanos) > readNanos;
        required = paid ? Math.max(1, required / 2) : Math.min(MAX_REQUIRED, required * 2);
        confirmations = 0;
    }

    private static double smoothed(double before, long nanos) {
        return before == 0 ? nanos : before + (nanos - before) * SMOOTHING;
    }
}
