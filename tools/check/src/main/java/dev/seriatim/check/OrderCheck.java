// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Finds draws that are out of order: whose first number is not above every number of every draw that had returned before they
 * began. Draws that begin at the instant at which another returns overlap it.
 *
 * <p>Each {@link Lane} reports its draws in its order; the reports of different lanes come in any order. A draw is final
 * once every open lane has reported up to its beginning. Only draws that are not final are kept:
 *
 * <ol>
 *   <li>Take the final draws of all lanes in the order in which they began.
 *   <li>For each, take those that returned before it began, in the order in which they returned, into the highest number.
 *   <li>If the first number of the draw is not above that, it is out of order.
 * </ol>
 */
public final class OrderCheck {

    /** Reports between two looks for final draws, so that going through the lanes costs little per report. */
    private static final int REPORTS_BETWEEN = 1024;

    private final Examples examples = new Examples();
    private final long origin;
    private final List<Lane> lanes = new ArrayList<>();
    private final PriorityQueue<Lane> begins = new PriorityQueue<>(
            Comparator.comparingLong(lane -> lane.unchecked.element().began()));
    private final PriorityQueue<Lane> returns = new PriorityQueue<>(
            Comparator.comparingLong(lane -> lane.unpassed.element().returned()));

    private int reports;
    private long finalTo = Long.MIN_VALUE;
    private long violations;

    private long highest;
    private long highestReturned;
    private String highestLane = "";

    /** @param origin the {@link System#nanoTime} that the times in the examples count from */
    public OrderCheck(long origin) {
        this.origin = origin;
    }

    /**
     * Adds a lane. No draw that begins later than its reports is final until the lane has reported more or is closed.
     *
     * @param from no draw of the lane begins before this time
     * @throws IllegalArgumentException if draws that began later are final already
     */
    public Lane open(String name, long from) {
        if (from < finalTo) {
            throw new IllegalArgumentException("lane " + name + " starts " + Examples.seconds(finalTo, from)
                    + " before the last draw that is final; open it before it starts");
        }
        Lane lane = new Lane(name, from);
        lanes.add(lane);
        return lane;
    }

    /** Counts the draws that are out of order, among those that are final. */
    public long violations() {
        settle();
        return violations;
    }

    /** Describes the first few violations; empty if there are none. */
    public List<String> examples() {
        settle();
        return examples.lines();
    }

    /** Returns the number of draws that are kept: those that are not final, or returned after the last that is. */
    public long kept() {
        return lanes.stream().mapToLong(lane -> lane.unpassed.size()).sum();
    }

    /** Checks the draws that have become final. */
    private void settle() {
        reports = 0;
        finalTo = reportedTo();
        begins.clear();
        returns.clear();
        for (Lane lane : lanes) {
            offerUnchecked(lane);
            offerUnpassed(lane);
        }
        while (!begins.isEmpty()) {
            passBefore(begins.element().unchecked.element().began());
            checkNext();
        }
        passBefore(finalTo);
        lanes.removeIf(lane -> lane.closed && lane.unpassed.isEmpty());
    }

    private void offerUnchecked(Lane lane) {
        Draw next = lane.unchecked.peek();
        if (next != null && next.began() <= finalTo) {
            begins.add(lane);
        }
    }

    private void offerUnpassed(Lane lane) {
        Draw next = lane.unpassed.peek();
        if (next != null && next.returned() < finalTo) {
            returns.add(lane);
        }
    }

    /** Returns the time up to which all open lanes have reported; if none is open, when the last draw began. */
    private long reportedTo() {
        long to = Long.MAX_VALUE;
        long lastBegan = finalTo;
        for (Lane lane : lanes) {
            to = Math.min(to, lane.closed ? Long.MAX_VALUE : lane.reportedTo);
            lastBegan = Math.max(lastBegan, lane.lastBegan);
        }
        return to == Long.MAX_VALUE ? lastBegan : to;
    }

    private void checkNext() {
        Lane lane = begins.remove();
        Draw draw = lane.unchecked.remove();
        if (!highestLane.isEmpty() && draw.first() <= highest) {
            violations++;
            if (!examples.full()) {
                examples.add(text(lane, draw));
            }
        }
        offerUnchecked(lane);
    }

    /** Takes the draws that returned before a time into the highest number. */
    private void passBefore(long time) {
        while (!returns.isEmpty() && returns.element().unpassed.element().returned() < time) {
            Lane lane = returns.remove();
            Draw draw = lane.unpassed.remove();
            if (highestLane.isEmpty() || draw.last() > highest) {
                highest = draw.last();
                highestReturned = draw.returned();
                highestLane = lane.name;
            }
            offerUnpassed(lane);
        }
    }

    private String text(Lane lane, Draw draw) {
        return draw.first() + " drawn by " + lane.name + " from " + Examples.seconds(draw.began(), origin) + ", when "
                + highest + " had been drawn by " + highestLane + " by " + Examples.seconds(highestReturned, origin);
    }

    private record Draw(long began, long returned, long first, long last) {}

    /** The draws of one thread, reported one after another. */
    public final class Lane {

        private final String name;

        /** The draws to check, in the order in which they began. */
        private final Queue<Draw> unchecked = new ArrayDeque<>();

        /** The draws that may not have returned before the next one to check began. */
        private final Queue<Draw> unpassed = new ArrayDeque<>();

        /** No further draw of this lane begins before this time. */
        private long reportedTo;

        private long lastBegan = Long.MIN_VALUE;
        private boolean closed;

        private long lastReturned = Long.MIN_VALUE;

        private Lane(String name, long from) {
            this.name = name.isEmpty() ? "a lane without a name" : name;
            this.reportedTo = from;
        }

        /**
         * Reports a draw. The next one begins no earlier than this one.
         *
         * @param began when the draw began, by {@link System#nanoTime}
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
            if (++reports >= Math.max(REPORTS_BETWEEN, lanes.size())) {
                settle();
            }
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
}
