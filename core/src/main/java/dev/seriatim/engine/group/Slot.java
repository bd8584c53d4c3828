// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.engine.dispatch.Task;
import dev.seriatim.store.SequenceState;
import org.jspecify.annotations.Nullable;

/** A shared transaction, whose steps are its beginning, each turn, and its end. Guarded by the line's lock. */
final class Slot extends Task {

    /** The counter as this instance's last commit had left it. */
    final @Nullable SequenceState committedBefore;

    /** The store has not yet begun the transaction. */
    boolean beginning = true;

    /** The store was asked for an answer, because the beginning takes long. */
    boolean probed;

    /** It answered, so the beginning waits for a lock. */
    boolean locked;

    @Nullable
    Thread worker;

    Slot(@Nullable SequenceState committedBefore) {
        this.committedBefore = committedBefore;
    }

    void step(@Nullable Thread by, long now) {
        nextStep(now);
        worker = by;
    }
}
