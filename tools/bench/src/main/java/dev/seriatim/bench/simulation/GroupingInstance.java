// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.GroupedSequence;
import java.util.concurrent.TimeUnit;

/** GROUPED: callers draw and work one after another in a transaction, until no caller waits, or it is large or old enough. */
final class GroupingInstance extends Instance {

    /** The maximum age of a group in the library, from the end of its first unit. */
    private static final long LONGEST_OPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    GroupingInstance(Shared shared, long tripNanos, SimulatedCallers callers) {
        super(shared, tripNanos, callers);
    }

    @Override
    void begin() {
        next(callers.arrival(1), () -> row.begin(tripNanos, this::work));
    }

    @Override
    Hand hand(long now) {
        return Hand.EMPTY; // a crash rolls back
    }

    private void work(long first) {
        long workNanos = plan.work().toNanos();
        long time = timeline.now();
        long closes = time + workNanos + LONGEST_OPEN_NANOS;
        int units = 0;
        while (units < GroupedSequence.MOST_UNITS && (units == 0 || time < closes) && callers.takeOne(time)) {
            callers.served(1, time);
            units++;
            time += workNanos;
        }
        row.take(units - 1); // with the first, which began it
        tally.dealt(first + units - 1);
        int committed = units;
        row.commit(tripNanos, time, () -> {
            callers.back(committed, timeline.now());
            begin();
        });
    }
}
