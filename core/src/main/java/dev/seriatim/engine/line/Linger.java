// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.engine.dispatch.Shutdown;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Lets a reservation wait a moment for the callers who were around when the last one ended: most come back at once, and one
 * reservation for all of them beats two for half of them each. Guarded by the line's lock.
 *
 * <ol>
 *   <li>It ends as soon as as many callers wait as were around.
 *   <li>It ends when no caller has come for an eighth of what a reservation takes.
 *   <li>It never takes longer than the reservation itself, nor than a millisecond.
 * </ol>
 */
final class Linger {

    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    // In less time, a thread that was woken has not been scheduled yet.
    private static final long MIN_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Condition complete;
    private int around;
    private long latency;

    Linger(Condition complete) {
        this.complete = complete;
    }

    /** A reservation has ended: this many callers were served by it or wait for the next, and it took this long. */
    void ended(int callers, long tookNanos) {
        around = callers;
        latency = tookNanos;
    }

    /** A caller has come; this many wait now. */
    void arrived(int waiting) {
        if (waiting >= around) {
            complete.signal();
        }
    }

    /** Waits, on the reservation's thread. */
    void await(Collection<Ticket> waiting, Shutdown shutdown) {
        long left = Math.min(latency, MAX_NANOS);
        long gap = Math.max(latency / 8, MIN_GAP_NANOS);
        boolean coming = around > 1;
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
        }
    }
}
