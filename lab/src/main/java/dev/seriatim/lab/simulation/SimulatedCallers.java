// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

/**
 * Who draws at one instance: comes for a value, gets it, and perhaps comes again. Served in the order of arrival.
 *
 * <p>Callers are no events: while an instance has values in hand, it asks when the k-th of them will come, and nothing happens
 * in between. Used by one thread.
 */
interface SimulatedCallers {

    /** When the k-th from now on will come, if none of those before goes on; {@link Timeline#NEVER} if nobody will. */
    long arrival(long k);

    /** When the k-th from now on will draw, if each before it gets its value at once. */
    long draw(long k);

    /** The next so many, of whom the last or the one behind was asked for by {@link #draw}, get a value at once. */
    void dealt(long count);

    /** All who come up to a time get a value at once; returns how many. */
    long dealtBy(long time);

    /** How many will come up to a time, if they get a value at once: an estimate that changes nothing. */
    long drawsBy(long time);

    /** The first who has come up to a time waits from now on; false when there is none. */
    boolean takeOne(long time);

    /** All who have come up to a time wait from now on; returns how many. */
    long takeAll(long time);

    /** Those who have waited longest get their values. */
    void served(long count, long time);

    /** So many of the served are through with their work at a time, and may come again. */
    void back(long count, long time);
}
