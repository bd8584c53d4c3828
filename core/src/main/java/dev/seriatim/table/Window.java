// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.table;

import dev.seriatim.SequenceDefinition;
import java.util.Optional;

/**
 * How far a block moves a counter, and the counters from which that leaves at least one value behind the block. Computed
 * here, exactly, because databases overflow each in its own way.
 *
 * @param delta what is added to the counter
 * @param low the lowest such counter
 * @param high the highest such counter, at least {@code low}
 */
public record Window(long delta, long low, long high) {

    /** The window of a block; empty when there is no such counter, or the move leaves 64 bits. */
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

    /** The same window of a counter that stands one step behind: of the value drawn last, not of the next one. */
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
