// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/**
 * The callers of one instance. Each arrives, gets a value, and may return. Served in the order of arrival.
 *
 * <p>Callers are not events: while an instance has reserved values, it only needs the arrival of the k-th caller. Used by one
 * thread.
 */
interface SimulatedCallers {

    /** Returns the arrival of the k-th caller, if none before it is served; {@link Timeline#NEVER} if there is none. */
    long arrival(long k);

    /** Returns the time of the k-th draw, if each caller before it is served at once. */
    long draw(long k);

    /** Serves the next callers at once; {@link #draw} was called for the last of them or the one after it. */
    void dealt(long count);

    /** Serves all arrivals up to a time at once, and returns their number. */
    long dealtBy(long time);

    /** Estimates the number of draws up to a time, if all are served at once; has no side effect. */
    long drawsBy(long time);

    /** Makes the first arrival up to a time wait; returns false if there is none. */
    boolean takeOne(long time);

    /** Makes all arrivals up to a time wait, and returns their number. */
    long takeAll(long time);

    /** Serves the callers that have waited longest. */
    void served(long count, long time);

    /** Returns the arrival of the caller that has waited longest, if none is served at once; {@code time} if none waits. */
    long waitingSince(long time);

    /** Served callers begin their work at a time, and may return after it. */
    default void back(long count, long time) {}
}
