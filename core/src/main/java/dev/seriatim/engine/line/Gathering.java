// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Lets a flight wait a moment for the callers who were around when the last one landed: most come back at once, and one
 * reservation for all of them beats two for half of them each. Guarded by the line's lock.
 *
 * <ol>
 *   <li>It ends as soon as as many wait as were around.
 *   <li>It ends when nobody has come for an eighth of what a reservation takes.
 *   <li>It never takes longer than the reservation itself, nor than a millisecond.
 * </ol>
 */
final class Gathering {

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    // Below that, a thread that was woken has not had its turn on a processor yet.
    private static final long SHORTEST_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Condition complete;
    private int around;
    private long latency;

    Gathering(Condition complete) {
        this.complete = complete;
    }

    /** A flight has landed: so many callers were served by it or wait for the next, and it took so long. */
    void landed(int callers, long tookNanos) {
        around = callers;
        latency = tookNanos;
    }

    /** Somebody has come; so many wait now. */
    void arrived(int waiting) {
        if (waiting >= around) {
            complete.signal();
        }
    }

    /** Waits on the thread of a flight. */
    void await(WaitingLine line) {
        long left = Math.min(latency, LONGEST_NANOS);
        long gap = Math.max(latency / 8, SHORTEST_GAP_NANOS);
        boolean coming = around > 1;
        try {
            while (coming && left > 0 && line.waiting.size() < around && !line.closed) {
                int before = line.waiting.size();
                long pause = Math.min(gap, left);
                long unused = complete.awaitNanos(pause);
                left -= pause - unused;
                coming = line.waiting.size() > before || unused > 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
