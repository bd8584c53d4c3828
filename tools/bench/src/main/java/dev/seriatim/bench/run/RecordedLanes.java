// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawnNumbers;
import dev.seriatim.check.OrderCheck;
import dev.seriatim.check.OrderedLane;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports the recorded draws of a run to an {@link OrderCheck}. A lane is a stretch of the record in which the draws began and
 * returned in order, which those of a worker do. All lanes report in turn, so that few draws wait to be final.
 */
final class RecordedLanes {

    private static final int AT_A_TIME = 4096;

    private final DrawnNumbers draws;
    private final List<Stretch> stretches = new ArrayList<>();
    private final OrderCheck check = new OrderCheck(0);

    private RecordedLanes(DrawnNumbers draws) {
        this.draws = draws;
        for (int from = 0; from < draws.values.length; ) {
            int to = end(from);
            stretches.add(new Stretch(check.open("a worker", Long.MIN_VALUE), from, to));
            from = to;
        }
    }

    static long violations(DrawnNumbers draws) {
        return new RecordedLanes(draws).violations();
    }

    private long violations() {
        while (!stretches.isEmpty()) {
            stretches.removeIf(Stretch::isReported);
        }
        return check.violations();
    }

    private int end(int from) {
        int end = from + 1;
        while (end < draws.values.length
                && draws.began[end] >= draws.began[end - 1]
                && draws.returned[end] >= draws.returned[end - 1]) {
            end++;
        }
        return end;
    }

    private final class Stretch {

        private final OrderedLane lane;
        private final int to;
        private int at;

        private Stretch(OrderedLane lane, int from, int to) {
            this.lane = lane;
            this.at = from;
            this.to = to;
        }

        /** Reports the next draws, and returns whether these were the last. */
        private boolean isReported() {
            int until = Math.min(to, at + AT_A_TIME);
            for (; at < until; at++) {
                // A call may have returned several numbers, which the record lists as draws with the same times.
                lane.drewOneOfSeveral(draws.began[at], draws.returned[at], draws.values[at], 1);
            }
            if (at == to) {
                lane.close();
            }
            return at == to;
        }
    }
}
