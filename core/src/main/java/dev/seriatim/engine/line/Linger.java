// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.engine.dispatch.Shutdown;
import dev.seriatim.engine.dispatch.Timing;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Delays a request for the callers that the last one served: most draw again at once, and one request for all beats two for half
 * of them each. Guarded by the line's lock, unless noted otherwise.
 *
 * <ol>
 *   <li>The delay ends when as many callers wait as at the last request, or none has come for an eighth of a request's latency.
 *   <li>It never exceeds that latency, nor a millisecond.
 * </ol>
 */
final class Linger {

    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    // In less time, a woken thread has not been scheduled yet.
    private static final long MIN_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** How long a quick read yields to the callers that the last read has woken. */
    private static final long MAX_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Condition complete;
    private volatile int expectedCallers;
    private volatile long latency;

    private volatile int waiting;

    private boolean awaits;

    Linger(Condition complete) {
        this.complete = complete;
    }

    /** {@code callers} were served by a request or wait for the next one. */
    void ended(int callers, long tookNanos) {
        expectedCallers = callers;
        latency = tookNanos;
    }

    /** Whether a request takes so long that a delay is short in comparison. */
    boolean worthwhile() {
        return latency / 8 >= MIN_GAP_NANOS;
    }

    void arrived(int callers) {
        waiting = callers;
        if (awaits && callers >= expectedCallers) {
            complete.signal();
        }
    }

    /** Lets callers join before a quick request on a caller's thread: parking takes longer. Needs no lock. */
    void yieldToCallers(Timing timing) {
        int expected = expectedCallers;
        if (expected > 1 && !worthwhile()) {
            timing.yieldUntil(() -> waiting >= expected, Math.min(latency / 2, MAX_YIELD_NANOS));
        }
    }

    /** Waits on the thread that sends the request. */
    void await(Collection<Ticket> line, Shutdown shutdown) {
        long left = Math.min(latency, MAX_NANOS);
        long gap = Math.max(latency / 8, MIN_GAP_NANOS);
        int expected = expectedCallers;
        boolean coming = expected > 1;
        awaits = true;
        try {
            while (coming && left > 0 && line.size() < expected && !shutdown.begun()) {
                int before = line.size();
                long pause = Math.min(gap, left);
                long unused = complete.awaitNanos(pause);
                left -= pause - unused;
                coming = line.size() > before || unused > 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            awaits = false;
        }
    }
}
