// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

/** How large blocks are, and when the next is fetched, as in the library. */
interface Sizes {

    /** No low-water mark: a block is fetched when values are needed. */
    long NO_MARK = -1;

    /** Values per block. */
    long size();

    /** Values left at which the next block is fetched, or {@link #NO_MARK}. */
    long lowWaterMark();

    /** So many reservations may be under way at a time. */
    int maxFlights();

    /** A reservation is sent; {@code dealt} values have been dealt so far. Times are in nanoseconds. */
    void sent(long now, long dealt);

    /** A reservation of {@code taken} values has arrived; {@code ranDry} when callers waited or nothing was left. */
    void arrived(long now, long dealt, long taken, long tookNanos, boolean ranDry);
}
