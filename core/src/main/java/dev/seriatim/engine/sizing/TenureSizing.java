// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

/**
 * Determines how many values CONFIRMED reserves ahead of its callers, so that reading pays. Used under the line's lock.
 *
 * <ol>
 *   <li>None, until reservations have followed one another with no other session in between.
 *   <li>Then twice as many as the last time, for as long as that stays so.
 *   <li>None again once another session has reserved: the values in hand are lost. If the reads since the last loss have not
 *       saved more time than they took, twice as many reservations must follow one another before the next attempt; otherwise half
 *       as many.
 * </ol>
 */
public final class TenureSizing {

    private static final int MAX_REQUIRED = 64;
    private static final long GROWTH = 2;
    private static final double SMOOTHING = 0.2;

    private final long maxBlock;

    private long ahead;

    /** How many reservations have followed one another, and how many must before the first value is reserved ahead. */
    private int consecutive;

    private int required = 1;

    private long confirmations;
    private double readNanos;
    private double reservationNanos;

    /** Reserves at most {@code maxBlock} values ahead. */
    public TenureSizing(long maxBlock) {
        this.maxBlock = maxBlock;
    }

    /** Returns how many values the next reservation requests: those that callers wait for, and what is missing ahead of them. */
    public long size(long waiting, long inHand) {
        long size = waiting + Math.max(0, Math.min(ahead, maxBlock) - inHand);
        return size < 0 ? waiting : size;
    }

    /** Called when a read has confirmed the values in hand. */
    public void confirmed(long tookNanos) {
        read(tookNanos);
        confirmations++;
    }

    /** Called when a read has ended, whatever it has shown. */
    public void read(long tookNanos) {
        readNanos = smoothed(readNanos, tookNanos);
    }

    /** Called when a reservation has arrived. */
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

    /** Called when values in hand were lost to another session. */
    public void lost() {
        boolean paid = confirmations * (reservationNanos - readNanos) > readNanos;
        required = paid ? Math.max(1, required / 2) : Math.min(MAX_REQUIRED, required * 2);
        confirmations = 0;
    }

    private static double smoothed(double before, long nanos) {
        return before == 0 ? nanos : before + (nanos - before) * SMOOTHING;
    }
}
