// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;
import java.util.concurrent.TimeUnit;

/** Determines when to call a store again after a failure. Guarded by the sequence's lock. */
public final class BackOff {

    private static final long FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long CONFLICT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(320);

    private final Timing timing;
    private final long first;
    private int failures;
    private long notBefore;
    private boolean refused;

    private BackOff(Timing timing, long first) {
        this.timing = timing;
        this.first = first;
    }

    public static BackOff afterFailure(Timing timing) {
        return new BackOff(timing, FAILURE_NANOS);
    }

    /** Shorter: the other session may be done a moment later. */
    public static BackOff afterConflict(Timing timing) {
        return new BackOff(timing, CONFLICT_NANOS);
    }

    public void succeeded() {
        failures = 0;
        refused = false;
    }

    /** Pauses, unless the store refused: a store that answers is up. */
    public void failed(SequenceException failure) {
        refused = !(failure instanceof SequenceException.Unavailable
                || failure instanceof SequenceException.Overloaded
                || failure instanceof SequenceException.CommitOutcomeUnknown);
        if (refused) {
            failures = 0;
        } else {
            pause();
        }
    }

    /** Pauses, because other sessions hold what is needed. */
    public void heldUp() {
        refused = false;
        pause();
    }

    private void pause() {
        long pause = Math.min(LAST_NANOS, first << Math.min(failures, 10));
        failures++;
        notBefore = timing.now() + pause / 2 + timing.jitter(pause / 2 + 1);
    }

    /** Whether the store refused the last call. It is then called again only for a caller. */
    public boolean refused() {
        return refused;
    }

    /** Returns the nanoseconds until the next attempt; zero or negative if it is due. */
    public long remaining() {
        return failures == 0 ? 0 : notBefore - timing.now();
    }
}
