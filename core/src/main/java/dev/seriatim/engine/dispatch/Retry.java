// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;

/** When a sequence asks its store again after failures and conflicts, and whether it has set a timer for that. Guarded by its lock. */
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

    /** Another session was in the way. */
    public void conflicted() {
        afterConflict.heldUp();
    }

    /** Whether the store answered that it has nothing; then it is asked again only for a caller. */
    public boolean refused() {
        return afterFailure.refused();
    }

    /** How long to wait before the next try, in nanoseconds; not positive for not at all. */
    public long pause() {
        return Math.max(afterFailure.remaining(), afterConflict.remaining());
    }

    /** Whether the caller must set the timer because it is not set yet. */
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
