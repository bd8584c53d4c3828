// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;
import java.util.concurrent.TimeUnit;

/** When a store that failed is asked again. Guarded by the sequence's lock. */
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

    /** Shorter: whoever was in the way may be gone a moment later. */
    public static BackOff afterConflict(Timing timing) {
        return new BackOff(timing, CONFLICT_NANOS);
    }

    public void succeeded() {
        failures = 0;
        refused = false;
    }

    /** Pauses, unless the store refused: a store that answers is up, and there is nothing to wait for. */
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

    /** Pauses because others are in the way. */
    public void heldUp() {
        refused = false;
        pause();
    }

    private void pause() {
        long pause = Math.min(LAST_NANOS, first << Math.min(failures, 10));
        failures++;
        notBefore = timing.now() + pause / 2 + timing.jitter(pause / 2 + 1);
    }

    /** Whether the store answered that it has nothing; then it is asked again only for a caller. */
    public boolean refused() {
        return refused;
    }

    /** How long to wait before the next try, in nanoseconds; not positive for not at all. */
    public long remaining() {
        return failures == 0 ? 0 : notBefore - timing.now();
    }
}
