// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a sequence has come: which numbers have been dealt, or at least reserved. Immutable.
 *
 * @param grid the numbers to look at
 * @param counter the number that is dealt next; when used up, the one that was dealt last
 */
record Dealt(Grid grid, long counter, boolean usedUp) {

    static Dealt by(SequenceState state, long from) {
        return new Dealt(new Grid(from, state.definition().increment()), state.nextValue(), state.usedUp());
    }

    /** Whether the counter has passed a number. */
    boolean passed(long number) {
        return grid.before(number, counter) || (usedUp && number == counter);
    }

    /** The place in the grid of the last number that it has passed; empty when it has passed none of the grid. */
    OptionalLong lastPlace() {
        if (!passed(grid.from())) {
            return OptionalLong.empty();
        }
        long place = grid.place(counter);
        return OptionalLong.of(passed(grid.number(place)) ? place : place - 1);
    }

    /** The numbers of the grid that it has passed. */
    Optional<NumberRange> numbers() {
        OptionalLong last = lastPlace();
        return last.isEmpty() ? Optional.empty() : Optional.of(NumberRange.of(grid, 0, last.getAsLong()));
    }
}
