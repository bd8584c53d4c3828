// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The numbers that a sequence has dealt, or at least reserved. Immutable.
 *
 * @param grid the numbers to check
 * @param counter the number that is dealt next; if used up, the one that was dealt last
 */
record Dealt(Grid grid, long counter, boolean usedUp) {

    static Dealt by(SequenceState state, long from) {
        return new Dealt(new Grid(from, state.definition().increment()), state.nextValue(), state.usedUp());
    }

    /** Returns whether the counter is beyond a number. */
    boolean passed(long number) {
        return grid.before(number, counter) || (usedUp && number == counter);
    }

    /** Returns the place of the last number of the grid that was dealt; empty if there is none. */
    OptionalLong lastPlace() {
        if (!passed(grid.from())) {
            return OptionalLong.empty();
        }
        long place = grid.place(counter);
        return OptionalLong.of(passed(grid.number(place)) ? place : place - 1);
    }

    /** Returns the numbers of the grid that were dealt. */
    Optional<NumberRange> numbers() {
        OptionalLong last = lastPlace();
        return last.isEmpty() ? Optional.empty() : Optional.of(NumberRange.of(grid, 0, last.getAsLong()));
    }
}
