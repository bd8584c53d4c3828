// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The numbers that a sequence has dealt, or at least reserved. All numbers that it ever deals have places 0, 1, 2, … as
 * unsigned 64-bit numbers. Exact at both ends of 64 bits. Immutable.
 *
 * @param increment the step, never 0; negative counts down
 * @param counter the number that is dealt next; if used up, the one that was dealt last
 */
record Dealt(long from, long increment, long counter, boolean usedUp) {

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

    long number(long place) {
        return from + place * increment;
    }

    /** Returns the numbers from one place to another, both included. */
    NumberRange range(long firstPlace, long lastPlace) {
        BigInteger count = new BigInteger(Long.toUnsignedString(lastPlace - firstPlace)).add(BigInteger.ONE);
        return new NumberRange(number(firstPlace), number(lastPlace), count);
    }

    /** Returns whether the counter is beyond a number. */
    boolean passed(long number) {
        return before(number, counter) || (usedUp && number == counter);
    }

    /** Returns the place of the last number that was dealt; empty if there is none. */
    OptionalLong lastPlace() {
        if (!passed(from)) {
            return OptionalLong.empty();
        }
        long place = place(counter);
        return OptionalLong.of(passed(number(place)) ? place : place - 1);
    }

    /** Returns all numbers that were dealt; empty if there are none. */
    Optional<NumberRange> numbers() {
        OptionalLong last = lastPlace();
        return last.isEmpty() ? Optional.empty() : Optional.of(range(0, last.getAsLong()));
    }

    private long distance(long number) {
        return ascending() ? number - from : from - number;
    }

    private long step() {
        return ascending() ? increment : -increment;
    }
}
