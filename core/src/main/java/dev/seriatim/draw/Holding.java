// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.draw;

import dev.seriatim.SequenceException;

/** A sequence that keeps values in memory. */
public interface Holding {

    /** Returns how many reserved values are left to deal; while others draw, an estimate. */
    long inHand();

    /**
     * Puts the values in memory away as {@code close} does, and deals none until resumed: callers wait. Then nothing that a copy of
     * this process could deal again is left.
     *
     * @throws SequenceException.Unavailable if a reservation is under way and does not end within the patience; then nothing is
     *     suspended
     */
    void suspend();

    /** Deals again, after a reservation. */
    void resume();
}
