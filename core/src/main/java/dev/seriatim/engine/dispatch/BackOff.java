// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;
import java.util.concurrent.TimeUnit;

/** When a store that failed is asked again. Used under the line's lock. */
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

    /** Who was in the way may be gone a moment later. */
    public static BackOff afterConflict(Timing timing) {
        return new BackOff(timing, CONFLICT_NANOS);
    }

    public void succeeded() {
        failures = 0;
        refused = false;
    }

    /** A store that answers, if only to refuse, is up: there is nothing to wait for. */
    public void failed(SequenceException failure, long now) {
        refused = !(failure instanceof SequenceException.Unavailable
                || failure instanceof SequenceException.Overloaded
                || failure instanceof SequenceException.CommitOutcomeUnknown);
        if (refused) {
            failures = 0;
            return;
        }
        long pause = Math.min(LAST_NANOS, first << Math.min(failures, 10));
        failures++;
        notBefore = now + pause / 2 + timing.jitter(pause / 2 + 1);
    }

    /** Whether the store answered that there is nothing to have: then only a caller makes us ask again. */
    public boolean refused() {
        return refused;
    }

    /** How long to wait before the next try, in nanoseconds; not positive for not at all. */
    public long remaining(long now) {
        return failures == 0 ? 0 : notBefore - now;
    }
}
