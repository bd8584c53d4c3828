// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Finds draws that are out of order: whose first number is not above every number of every draw that had returned before they
 * began. Draws that begin at the instant at which another returns overlap it.
 *
 * <p>Each {@link OrderedLane} reports its draws in its order; the reports of different lanes come in any order. A draw is final
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
    private final List<OrderedLane> lanes = new ArrayList<>();
    private final PriorityQueue<OrderedLane> begins = new PriorityQueue<>(
            Comparator.comparingLong(lane -> lane.unchecked.element().began()));
    private final PriorityQueue<OrderedLane> returns = new PriorityQueue<>(
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
     * @param name what the examples call it
     * @param from no draw of the lane begins before this time
     * @throws IllegalArgumentException if draws that began later are final already
     */
    public OrderedLane open(String name, long from) {
        if (from < finalTo) {
            throw new IllegalArgumentException("lane " + name + " starts " + Examples.seconds(finalTo, from)
                    + " before the last draw that is final; open it before it starts");
        }
        OrderedLane lane = new OrderedLane(this, name, from);
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

    void reported() {
        if (++reports >= Math.max(REPORTS_BETWEEN, lanes.size())) {
            settle();
        }
    }

    /** Checks the draws that have become final. */
    private void settle() {
        reports = 0;
        finalTo = reportedTo();
        begins.clear();
        returns.clear();
        for (OrderedLane lane : lanes) {
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

    private void offerUnchecked(OrderedLane lane) {
        OrderedLane.Draw next = lane.unchecked.peek();
        if (next != null && next.began() <= finalTo) {
            begins.add(lane);
        }
    }

    private void offerUnpassed(OrderedLane lane) {
        OrderedLane.Draw next = lane.unpassed.peek();
        if (next != null && next.returned() < finalTo) {
            returns.add(lane);
        }
    }

    /** Returns the time up to which all open lanes have reported; if none is open, when the last draw began. */
    private long reportedTo() {
        long to = Long.MAX_VALUE;
        long lastBegan = finalTo;
        for (OrderedLane lane : lanes) {
            to = Math.min(to, lane.closed ? Long.MAX_VALUE : lane.reportedTo);
            lastBegan = Math.max(lastBegan, lane.lastBegan);
        }
        return to == Long.MAX_VALUE ? lastBegan : to;
    }

    private void checkNext() {
        OrderedLane lane = begins.remove();
        OrderedLane.Draw draw = lane.unchecked.remove();
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
            OrderedLane lane = returns.remove();
            OrderedLane.Draw draw = lane.unpassed.remove();
            if (highestLane.isEmpty() || draw.last() > highest) {
                highest = draw.last();
                highestReturned = draw.returned();
                highestLane = lane.name;
            }
            offerUnpassed(lane);
        }
    }

    private String text(OrderedLane lane, OrderedLane.Draw draw) {
        return draw.first() + " drawn by " + lane.name + " from " + Examples.seconds(draw.began(), origin) + ", when "
                + highest + " had been drawn by " + highestLane + " by " + Examples.seconds(highestReturned, origin);
    }
}
