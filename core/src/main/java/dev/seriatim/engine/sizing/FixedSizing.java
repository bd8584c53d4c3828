// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

/** A fixed block size and low-water mark. Immutable. */
public record FixedSizing(long size, long lowWaterMark) implements Sizing {

    /** Fetches the next block only when values are needed. */
    public static final long NO_MARK = -1;

    @Override
    public int maxReservations() {
        return 1;
    }

    @Override
    public void sent(long now, long wanted) {}

    @Override
    public void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall) {}
}
