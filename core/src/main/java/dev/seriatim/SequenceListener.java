// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.math.BigInteger;
import java.time.Duration;

/**
 * Observes reservations. No method is called when {@code next()} is served from memory. Methods run on the thread that did
 * the work, outside all locks. Exceptions and errors that a listener throws are logged and ignored. A method must not draw
 * from its own sequence, whose callers may wait until it returns; such a draw is refused if it would wait.
 */
public interface SequenceListener {

    /** Called after values were reserved in the store. */
    default void reserved(String sequence, Block block, Duration took) {}

    /**
     * Like {@link #reserved(String, Block, Duration)}, with the sequence's definition at that reservation. Called
     * instead in all modes except POOLED; calls the other method unless overridden.
     */
    default void reserved(String sequence, Block block, Duration took, SequenceDefinition definition) {
        reserved(sequence, block, took);
    }

    /** Called after a caller had to wait for the store. */
    default void waited(String sequence, Duration howLong) {}

    /** Called after a reservation failed. */
    default void failed(String sequence, SequenceException failure) {}

    /** Called when reserved values will never be dealt, because the caller gave up or the sequence was closed. */
    default void lost(String sequence, Block values) {}

    /** Called when up to {@code count} values may be lost, because the store did not say whether it has reserved them. */
    default void outcomeUnknown(String sequence, long count) {}

    /** Called after reserved values were given back to the store. */
    default void givenBack(String sequence, Block values) {}

    /** Called when a reservation leaves less than a tenth, or less than a hundredth, of the sequence's range. */
    default void nearlyExhausted(String sequence, BigInteger valuesLeft) {}
}
