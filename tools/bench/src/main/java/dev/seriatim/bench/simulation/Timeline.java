// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Events in the order of their times, in nanoseconds; events at the same time in the order of planning. */
final class Timeline {

    /** After all other times. */
    static final long NEVER = Long.MAX_VALUE;

    private record Event(long time, long order, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long planned;
    private long now;

    long now() {
        return now;
    }

    /** Plans an event; ignores one at {@link #NEVER}, and moves a past one to the current time. */
    void at(long time, Runnable what) {
        if (time != NEVER) {
            events.add(new Event(Math.max(time, now), planned++, what));
        }
    }

    void in(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    static long nanos(double seconds) {
        return Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /** Runs all events up to and including a time. */
    void runTo(long end) {
        for (Event next = events.peek(); next != null && next.time <= end; next = events.peek()) {
            events.remove();
            now = next.time;
            next.what.run();
        }
        now = end;
    }
}
