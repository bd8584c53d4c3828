// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.sizing;

import dev.seriatim.store.SequenceStore;

/** How large blocks are, and when the next is fetched. Used under the line's lock. */
public interface Sizing {

    /** How many values a reservation asks for beyond need: at least 1, or {@link SequenceStore#CACHE}. */
    long size();

    /** Values left at which the next block is fetched; {@link FixedSizing#NO_MARK} for only when they are needed. */
    long lowWaterMark();

    /** Maximum reservations under way at a time; never changes. */
    int maxReservations();

    /** A reservation is being sent; {@code dealt} values have been dealt so far. */
    void sent(long now, long dealt);

    /** A reservation of {@code taken} values has arrived, {@code tookNanos} after it was called for. */
    void arrived(long now, long dealt, long taken, long tookNanos, boolean ranDry);
}
