// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.ArrayDeque;
import java.util.Queue;

/** The draws of one thread, reported to an {@link OrderCheck} one after another. */
public final class OrderedLane {

    record Draw(long began, long returned, long first, long last) {}

    final String name;

    /** The draws to check, in the order in which they began. */
    final Queue<Draw> unchecked = new ArrayDeque<>();

    /** The draws that may not have returned before the next one to check began. */
    final Queue<Draw> unpassed = new ArrayDeque<>();

    /** No further draw of this lane begins before this time. */
    long reportedTo;

    long lastBegan = Long.MIN_VALUE;
    boolean closed;

    private final OrderCheck check;
    private long lastReturned = Long.MIN_VALUE;

    OrderedLane(OrderCheck check, String name, long from) {
        this.check = check;
        this.name = name.isEmpty() ? "a lane without a name" : name;
        this.reportedTo = from;
    }

    /**
     * Reports a draw. The next one begins no earlier than this one.
     *
     * @param began when the draw began, by {@link System#nanoTime}
     * @param returned when it returned
     * @param first the first number; the others follow it one by one
     * @throws IllegalArgumentException if the draw began before the lane had reported up to, or has no number
     * @throws IllegalStateException if the lane is closed
     */
    public void drewOneOfSeveral(long began, long returned, long first, long count) {
        if (closed) {
            throw new IllegalStateException("lane " + name + " is closed");
        }
        if (began < reportedTo || returned < began || returned < lastReturned) {
            throw new IllegalArgumentException("lane " + name + " drew from " + began + " to " + returned
                    + "; it had reported up to " + reportedTo + ", and its last draw returned at " + lastReturned);
        }
        if (count < 1 || first + (count - 1) < first) {
            throw new IllegalArgumentException("lane " + name + " drew " + count + " numbers from " + first
                    + "; must be at least 1, within 64 bits");
        }
        lastBegan = began;
        lastReturned = returned;
        Draw draw = new Draw(began, returned, first, first + (count - 1));
        unchecked.add(draw);
        unpassed.add(draw);
        reportedTo = began;
        check.reported();
    }

    /** Reports that no further draw of this lane begins before a time. Does nothing if that is known already. */
    public void advance(long time) {
        reportedTo = Math.max(reportedTo, time);
    }

    /** Reports that there are no further draws. */
    public void close() {
        closed = true;
    }
}
