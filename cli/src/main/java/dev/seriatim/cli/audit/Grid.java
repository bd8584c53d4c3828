// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

/**
 * The numbers that a sequence deals, from one of them on, and their places: 0, 1, 2, … as unsigned numbers of 64 bits.
 * Exact at both ends of 64 bits. Immutable.
 *
 * @param from the first number
 * @param increment the step, never 0; negative counts down
 */
record Grid(long from, long increment) {

    boolean ascending() {
        return increment > 0;
    }

    /** Whether one number stands before another one in the direction of the sequence. */
    boolean before(long one, long other) {
        return ascending() ? one < other : one > other;
    }

    /** Whether the sequence comes to this number, sooner or later. */
    boolean holds(long number) {
        return !before(number, from) && Long.remainderUnsigned(distance(number), step()) == 0;
    }

    /** The place of a number, or of the last one before it; the number must not stand before the first. */
    long place(long number) {
        return Long.divideUnsigned(distance(number), step());
    }

    /** The number at a place. */
    long number(long place) {
        return from + place * increment;
    }

    private long distance(long number) {
        return ascending() ? number - from : from - number;
    }

    private long step() {
        return ascending() ? increment : -increment;
    }
}
