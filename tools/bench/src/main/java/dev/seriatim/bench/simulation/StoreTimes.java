// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/**
 * The times of a store's calls, in seconds. Immutable.
 *
 * @param reservation a reservation while nothing else goes on
 * @param row how long a reservation keeps its row from others; the rest of it overlaps with those of others
 * @param read a read of the counter; as long as a reservation on a store that cannot confirm
 */
public record StoreTimes(double reservation, double row, double read) {

    private static final double MOMENT = 1e-9;

    /** Returns the times of a store on which nothing overlaps, and on which a read takes as long as a reservation. */
    public static StoreTimes of(double reservation) {
        return new StoreTimes(reservation, reservation, reservation);
    }

    /** Returns the times of several calls, one after another; of none, a nanosecond. */
    public StoreTimes times(double calls) {
        return new StoreTimes(
                Math.max(MOMENT, calls * reservation), Math.max(MOMENT, calls * row), Math.max(MOMENT, calls * read));
    }

    public StoreTimes orShorter(StoreTimes other) {
        return new StoreTimes(
                Math.min(reservation, other.reservation), Math.min(row, other.row), Math.min(read, other.read));
    }
}
