// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.engine.dispatch.Task;
import dev.seriatim.store.SequenceState;
import org.jspecify.annotations.Nullable;

/**
 * A shared transaction from when it is called for to its end; its steps are its beginning, each turn and its end. Guarded by the
 * line's lock.
 */
final class Slot extends Task {

    /** The counter as our last commit had left it when the transaction was called for. */
    final @Nullable SequenceState committedBefore;

    /** The store has been asked to begin the transaction, and has not answered. */
    boolean beginning = true;

    /** The store has been asked whether it answers at all, since the beginning takes so long. */
    boolean probed;

    /** The store answered that, so the beginning waits for a lock. */
    boolean locked;

    /** The thread that runs its unit in it. */
    @Nullable
    Thread worker;

    Slot(@Nullable SequenceState committedBefore) {
        this.committedBefore = committedBefore;
    }

    /** The next step begins. */
    void step(@Nullable Thread by, long now) {
        nextStep(now);
        worker = by;
    }
}
