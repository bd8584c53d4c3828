// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.store.SequenceState;
import org.jspecify.annotations.Nullable;

/** The place of the one transaction that callers join, from its beginning to its end. Under the line's lock. */
final class Slot {

    /** The counter as our last commit had left it when the transaction's beginning was called for. */
    final @Nullable SequenceState committedBefore;

    /** When that was. */
    final long calledFor;

    private final Timing timing;
    private long stepBegan;

    /** The store has been asked to begin its transaction, and has not answered. */
    boolean beginning = true;

    /** The store has been asked whether it answers at all, since the beginning takes so long. */
    boolean probed;

    /** The store answered that, so the beginning waits for a lock. */
    boolean locked;

    /** The thread that runs its unit in it. */
    @Nullable
    Thread worker;

    Slot(Timing timing, @Nullable SequenceState committedBefore) {
        this.timing = timing;
        calledFor = timing.now();
        stepBegan = calledFor;
        this.committedBefore = committedBefore;
    }

    /** The next step begins: the transaction's beginning, a unit, or its end. */
    void step(@Nullable Thread by) {
        stepBegan = timing.now();
        worker = by;
    }

    long stepLasts() {
        return timing.now() - stepBegan;
    }
}
