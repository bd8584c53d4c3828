// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

import dev.seriatim.store.SequenceStore;

/** Determines how large blocks are and when the next one is fetched. Used under the line's lock. */
public interface Sizing {

    /** Returns how many values a reservation requests beyond those needed: at least 1, or {@link SequenceStore#CACHE}. */
    long size();

    /** Returns the number of values left at which the next block is fetched, or {@link FixedSizing#NO_MARK} to fetch only on demand. */
    long lowWaterMark();

    /** Returns the maximum number of reservations under way at a time; never changes. */
    int maxReservations();

    /** Called when a reservation is sent; callers have requested {@code wanted} values so far, including values not dealt. */
    void sent(long now, long wanted);

    /**
     * Called when a reservation of {@code taken} values arrives, {@code tookNanos} after it was requested.
     *
     * @param wanted the number of values that callers have requested so far, including values not dealt
     * @param tooSmall whether callers wait for more values than arrive
     */
    void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall);
}
