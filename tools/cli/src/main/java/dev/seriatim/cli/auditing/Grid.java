// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

/**
 * The numbers that a sequence deals, starting with one of them, and their places 0, 1, 2, … as unsigned 64-bit numbers.
 * Exact at both ends of 64 bits. Immutable.
 *
 * @param from the first number
 * @param increment the step, never 0; negative counts down
 */
record Grid(long from, long increment) {

    boolean ascending() {
        return increment > 0;
    }

    /** Returns whether a number comes before another in the direction of the sequence. */
    boolean before(long one, long other) {
        return ascending() ? one < other : one > other;
    }

    /** Returns whether the sequence deals this number at some time. */
    boolean holds(long number) {
        return !before(number, from) && Long.remainderUnsigned(distance(number), step()) == 0;
    }

    /** Returns the place of a number, or of the last one before it; the number must not be before the first. */
    long place(long number) {
        return Long.divideUnsigned(distance(number), step());
    }

    /** Returns the number at a place. */
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
