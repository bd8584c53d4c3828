// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceState;

/**
 * The value to which a sequence must be raised so that it deals nothing that a column already holds.
 *
 * @param value the next value that the sequence needs
 * @param reached whether it is already beyond the column
 */
record SyncTarget(long value, boolean reached) {

    /**
     * Returns the first value beyond the column's extreme among those that the sequence deals. Between them lie the values of others:
     * databases that share a range deal every tenth each.
     *
     * @param inPool whether the column holds numbers that are in the sequence's pool, so that it is not beyond the column,
     *     whatever its counter is
     * @throws SequenceException.Misconfigured if that is out of bounds
     */
    static SyncTarget beyond(long extreme, String column, SequenceState state, boolean inPool) {
        SequenceDefinition definition = state.definition();
        boolean up = definition.ascending();
        long counter = state.nextValue();
        boolean past = up ? counter > extreme : counter < extreme;
        if (!inPool && (past || (state.usedUp() && counter == extreme))) {
            return new SyncTarget(counter, true);
        }
        long step = step(extreme, counter, definition.increment());
        long bound = up ? definition.max() : definition.min();
        // Compared as unsigned distances, so that nothing can overflow.
        boolean fits = up
                ? extreme <= bound && Long.compareUnsigned(bound - extreme, step) >= 0
                : extreme >= bound && Long.compareUnsigned(extreme - bound, -step) >= 0;
        if (!fits) {
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    column + " has reached " + extreme + ", and the sequence's next number is beyond "
                            + (up ? "max value " : "min value ") + bound
                            + "; alter that bound first");
        }
        return new SyncTarget(extreme + step, false);
    }

    /** Returns the distance from a value to the next that lies a multiple of an increment from a counter, on either side of it. */
    private static long step(long from, long counter, long increment) {
        // Each remainder is between 0 and the increment, so their difference cannot overflow.
        long passed = Math.floorMod(from, increment) - Math.floorMod(counter, increment);
        return increment - Math.floorMod(passed, increment);
    }
}
