// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The decisions of one schedule, and then of the next, until all have been taken: a depth-first search of all schedules
 * that differ from the usual one in at most a few decisions. Usually, an actor continues as long as it can, and then
 * the youngest does, so that a call ends before another begins.
 */
final class ScheduleCourse {

    private record Decision(int taken, int options) {
        int cost() {
            return taken > 0 ? 1 : 0;
        }
    }

    private final int mostDeviations;
    private final List<Decision> decisions = new ArrayList<>();
    private int at;

    ScheduleCourse(int mostDeviations) {
        this.mostDeviations = mostDeviations;
    }

    /** Returns the index of one of several options; the first is the usual one. */
    int among(int options) {
        if (at == decisions.size()) {
            decisions.add(new Decision(0, options));
        }
        Decision decision = decisions.get(at++);
        if (decision.options != options) {
            throw new IllegalStateException("a schedule differs from the one whose decisions it repeats");
        }
        return decision.taken;
    }

    /** Turns to the next schedule; returns false if there is none. */
    boolean turn() {
        at = 0;
        int spent = decisions.stream().mapToInt(Decision::cost).sum();
        while (!decisions.isEmpty()) {
            Decision last = decisions.remove(decisions.size() - 1);
            spent -= last.cost();
            if (last.taken + 1 < last.options && spent < mostDeviations) {
                decisions.add(new Decision(last.taken + 1, last.options));
                return true;
            }
        }
        return false;
    }
}
