// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

import dev.seriatim.SequenceException;

/** A sequence that keeps values in memory. */
public interface Holding {

    /** Returns how many reserved values are left to deal; while others draw, an estimate. */
    long inHand();

    /**
     * Puts the values in memory away as {@code close} does. Callers wait until {@link #resume}.
     *
     * @throws SequenceException.Unavailable if a reservation does not end within the patience; then nothing is suspended
     */
    void suspend();

    /** Reserves and deals again. */
    void resume();
}
