// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/**
 * SYNC: each caller draws inside its own transaction, works, and commits. The row is held from the draw until the commit arrives. The
 * number of open transactions is limited, as by a connection pool.
 */
final class TransactionalInstance extends Instance {

    private final long workNanos;
    private final int most;
    private int open;

    TransactionalInstance(StoreLink link, SimulatedCallers callers, InHandTally tally, long workNanos, int most) {
        super(link, callers, tally);
        this.workNanos = workNanos;
        this.most = most;
    }

    @Override
    void begin() {
        while (open < most && callers.takeOne(timeline.now())) {
            open++;
            link.begin(1, this::drawn);
        }
        if (open < most) {
            next(callers.arrival(1), this::begin);
        }
    }

    @Override
    Hand hand(long now) {
        return Hand.EMPTY; // a crash rolls back
    }

    private void drawn(long value) {
        long now = timeline.now();
        callers.served(1, now);
        tally.dealt(value);
        link.commit(now + workNanos, this::committed);
    }

    private void committed() {
        open--;
        callers.back(1, timeline.now());
        begin();
    }
}
