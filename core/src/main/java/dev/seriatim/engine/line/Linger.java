// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.engine.dispatch.Shutdown;
import dev.seriatim.engine.dispatch.Timing;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Lets a request wait a moment for the callers who were around when the last of its kind ended: most come back at once, and one
 * request for all of them beats two for half of them each. Reservations and reads linger apart, since they take so unequal time.
 * Guarded by the line's lock, unless noted otherwise.
 *
 * <ol>
 *   <li>It ends as soon as as many callers wait as were around.
 *   <li>It ends when no caller has come for an eighth of what a request takes.
 *   <li>It never takes longer than the request itself, nor than a millisecond.
 * </ol>
 */
final class Linger {

    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    // In less time, a thread that was woken has not been scheduled yet.
    private static final long MIN_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** For how long a quick read yields to the callers that the last one has woken. */
    private static final long MAX_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Condition complete;
    private volatile int around;
    private volatile long latency;

    /** How many waited when the last caller came. */
    private volatile int waiting;

    private boolean awaits;

    Linger(Condition complete) {
        this.complete = complete;
    }

    /** A request has ended: this many callers were served by it or wait for the next, and it took this long. */
    void ended(int callers, long tookNanos) {
        around = callers;
        latency = tookNanos;
    }

    /** Whether a request takes so long that the pause in which callers are awaited is short beside it. */
    boolean worthwhile() {
        return latency / 8 >= MIN_GAP_NANOS;
    }

    /** A caller has come; this many wait now. */
    void arrived(int waiting) {
        this.waiting = waiting;
        if (awaits && waiting >= around) {
            complete.signal();
        }
    }

    /**
     * Lets the callers come before a quick request, on the thread of one who waits for it: parking would take longer than the request.
     * Needs no lock.
     */
    void yieldToCallers(Timing timing) {
        int expected = around;
        if (expected > 1 && !worthwhile()) {
            timing.yieldUntil(() -> waiting >= expected, Math.min(latency / 2, MAX_YIELD_NANOS));
        }
    }

    /** Waits, on the thread that sends the request. */
    void await(Collection<Ticket> line, Shutdown shutdown) {
        long left = Math.min(latency, MAX_NANOS);
        long gap = Math.max(latency / 8, MIN_GAP_NANOS);
        int expected = around;
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
