// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.engine.dispatch.Shutdown;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Lets a request wait a moment for the callers who were around when the last of its kind ended: most come back at once, and one
 * request for all of them beats two for half of them each. Reservations and reads linger apart, since they take so unequal time.
 * Guarded by the line's lock.
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

    private final Condition complete;
    private int around;
    private long latency;
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
        if (awaits && waiting >= around) {
            complete.signal();
        }
    }

    /** Waits, on the thread that sends the request. */
    void await(Collection<Ticket> waiting, Shutdown shutdown) {
        long left = Math.min(latency, MAX_NANOS);
        long gap = Math.max(latency / 8, MIN_GAP_NANOS);
        boolean coming = around > 1;
        awaits = true;
        try {
            while (coming && left > 0 && waiting.size() < around && !shutdown.begun()) {
                int before = waiting.size();
                long pause = Math.min(gap, left);
                long unused = complete.awaitNanos(pause);
                left -= pause - unused;
                coming = waiting.size() > before || unused > 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            awaits = false;
        }
    }
}
