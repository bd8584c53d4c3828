// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import java.util.Optional;

/**
 * The amount by which a block moves a counter, and the range of counters for which at least one value is left after the
 * block. Computed here, exactly, because each database handles overflow differently.
 *
 * @param delta the amount added to the counter
 * @param low the lowest counter of that range
 * @param high the highest counter of that range, at least {@code low}
 */
public record Window(long delta, long low, long high) {

    /** Returns the window of a block; empty if the range is empty, or the move exceeds 64 bits. */
    public static Optional<Window> of(SequenceDefinition definition, long count) {
        try {
            long delta = Math.multiplyExact(count, definition.increment());
            return definition.ascending()
                    ? nonEmpty(delta, definition.min(), Math.subtractExact(definition.max(), delta))
                    : nonEmpty(delta, Math.subtractExact(definition.min(), delta), definition.max());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Returns the same window for a counter that is one step behind: the last value drawn instead of the next one. */
    public Optional<Window> oneStepBehind(long increment) {
        try {
            return increment > 0
                    ? nonEmpty(
                            delta,
                            low < Long.MIN_VALUE + increment ? Long.MIN_VALUE : low - increment,
                            Math.subtractExact(high, increment))
                    : nonEmpty(
                            delta,
                            Math.subtractExact(low, increment),
                            high > Long.MAX_VALUE + increment ? Long.MAX_VALUE : high - increment);
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Optional<Window> nonEmpty(long delta, long low, long high) {
        return low <= high ? Optional.of(new Window(delta, low, high)) : Optional.empty();
    }
}
