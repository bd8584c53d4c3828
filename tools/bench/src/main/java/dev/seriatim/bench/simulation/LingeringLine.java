// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.concurrent.TimeUnit;

/**
 * The callers that wait for the next request. A request lingers for a moment for callers of the previous one of its kind, by the library's
 * values.
 */
final class LingeringLine {

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SHORTEST_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final SimulatedCallers callers;
    private long waiting;

    /** The last request of a kind: the callers when it ended, and its duration. */
    static final class Last {

        private long around;
        private long latency;

        /** Returns whether requests of this kind are slow enough for the library to linger before a read. */
        boolean worthwhile() {
            return latency / 8 >= SHORTEST_GAP_NANOS;
        }
    }

    LingeringLine(SimulatedCallers callers) {
        this.callers = callers;
    }

    long waiting() {
        return waiting;
    }

    /** Adds the callers that have arrived. */
    void join(long now) {
        waiting += callers.takeAll(now);
    }

    /** Takes in callers that wait already. */
    void rejoin(long count) {
        waiting += count;
    }

    /** Removes all waiting callers. */
    long leave() {
        long all = waiting;
        waiting = 0;
        return all;
    }

    /** Takes in callers until the next request is sent, and returns when. No other event can happen meanwhile. */
    long linger(long now, Last last) {
        join(now);
        long time = now;
        long left = Math.min(last.latency, LONGEST_NANOS);
        long gap = Math.max(last.latency / 8, SHORTEST_GAP_NANOS);
        boolean coming = last.around > 1;
        while (coming && left > 0 && waiting < last.around) {
            long pause = Math.min(gap, left);
            long complete = callers.arrival(last.around - waiting);
            long until = Math.min(complete, time + pause);
            long came = callers.takeAll(until);
            waiting += came;
            left -= until - time;
            time = until;
            coming = came > 0;
        }
        return time;
    }

    /** A request for some callers has ended, while others wait for the next. */
    void ended(Last last, long served, long tookNanos) {
        last.around = served + waiting;
        last.latency = tookNanos;
    }
}
