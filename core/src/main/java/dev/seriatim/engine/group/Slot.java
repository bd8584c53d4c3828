// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.engine.dispatch.Task;
import dev.seriatim.store.SequenceState;
import org.jspecify.annotations.Nullable;

/** A shared transaction from when it is due to its end. Its steps are the beginning, each turn, and the end. Guarded by the line's lock. */
final class Slot extends Task {

    /** The counter as our last commit had left it when the transaction became due. */
    final @Nullable SequenceState committedBefore;

    /** The store has not yet begun the transaction. */
    boolean beginning = true;

    /** The store was checked for an answer, because the beginning takes long. */
    boolean probed;

    /** The store answered that check, so the beginning waits for a lock. */
    boolean locked;

    /** The thread that runs its unit in the transaction. */
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
