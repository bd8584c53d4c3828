// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.sizing;

import dev.seriatim.store.SequenceStore;

/** Determines how large blocks are and when the next one is fetched. Used under the line's lock. */
public interface Sizing {

    /**
     * Returns how many values a reservation requests beyond those needed: at least 1, or {@link SequenceStore#CACHE}.
     */
    long size();

    /**
     * Returns the number of values left at which the next block is fetched, or {@link FixedSizing#NO_MARK} to fetch
     * only on demand.
     */
    long lowWaterMark();

    /** Maximum reservations under way at a time; never changes. */
    int maxReservations();

    /** Whether a reservation for the stock may be sent while another has been under way for {@code nanos}. */
    default boolean overlaps(long nanos) {
        return true;
    }

    /** Called when a reservation is sent; {@code wanted} values have been dealt or waited for so far. */
    void sent(long now, long wanted);

    /** Called when a reservation of {@code taken} values arrives, {@code tookNanos} after it was requested. */
    void arrived(long now, long wanted, long taken, long tookNanos, boolean ranDry);
}
