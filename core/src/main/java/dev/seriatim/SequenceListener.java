// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.math.BigInteger;
import java.time.Duration;

/**
 * Watches what happens to reservations. Every method does nothing unless overridden; none is called on the path of a
 * {@code next()} that is served from memory. Called on whichever thread did the work, outside every lock; what a listener
 * throws, an {@link Error} too, is logged and dropped.
 */
public interface SequenceListener {

    /** Values were reserved in the store. */
    default void reserved(String sequence, Block block, Duration took) {}

    /** A caller had to wait for the store. */
    default void waited(String sequence, Duration howLong) {}

    /** A reservation failed. */
    default void failed(String sequence, SequenceException failure) {}

    /** Reserved values will never be dealt: their caller gave up or cancelled its draw, or the sequence was closed. */
    default void lost(String sequence, Block values) {}

    /** The answer to a commit was lost, or the store failed in a way it does not declare: up to {@code count} values may be lost. */
    default void outcomeUnknown(String sequence, long count) {}

    /** Reserved values went back to the store. */
    default void givenBack(String sequence, Block values) {}

    /** A reservation left less than a tenth, or less than a hundredth, of the sequence's range. */
    default void nearlyExhausted(String sequence, BigInteger valuesLeft) {}
}
