// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

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

    /** Called when a reservation is sent; callers have wanted {@code wanted} values so far, dealt to them or not. */
    void sent(long now, long wanted);

    /**
     * Called when a reservation of {@code taken} values arrives, {@code tookNanos} after it was requested.
     *
     * @param wanted how many values callers have wanted so far, dealt to them or not
     * @param tooSmall whether callers wait for more than it brings
     */
    void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall);
}
