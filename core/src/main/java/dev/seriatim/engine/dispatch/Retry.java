// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;

/** Determines when a sequence calls its store again after failures and conflicts. Guarded by the sequence's lock. */
public final class Retry {

    private final BackOff afterFailure;
    private final BackOff afterConflict;
    private boolean scheduled;

    public Retry(Timing timing) {
        afterFailure = BackOff.afterFailure(timing);
        afterConflict = BackOff.afterConflict(timing);
    }

    public void succeeded() {
        afterFailure.succeeded();
        afterConflict.succeeded();
    }

    public void failed(SequenceException failure) {
        afterFailure.failed(failure);
    }

    public void conflicted() {
        afterConflict.heldUp();
    }

    public boolean refused() {
        return afterFailure.refused();
    }

    /** Returns the nanoseconds until the next attempt; zero or negative if it is due. */
    public long pause() {
        return Math.max(afterFailure.remaining(), afterConflict.remaining());
    }

    /** Returns whether the caller must set the timer, which was not set yet. */
    public boolean schedule() {
        boolean first = !scheduled;
        scheduled = true;
        return first;
    }

    public boolean scheduled() {
        return scheduled;
    }

    /** The timer has run, or could not be set. */
    public void due() {
        scheduled = false;
    }
}
