// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;

/** A sequence that keeps values in memory. */
public interface Suspendable {

    /** Returns how many reserved values are left; an estimate while other threads draw. */
    long inHand();

    /**
     * Gives back or reports the values in memory as {@code close} does. Callers wait until {@link #resume}.
     *
     * @throws SequenceException.Unavailable if a reservation does not end within the patience; then nothing is suspended
     */
    void suspend();

    /** Reserves and deals again. */
    void resume();
}
