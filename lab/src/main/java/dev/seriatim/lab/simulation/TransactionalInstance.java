// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

/**
 * SYNC: each caller draws inside a transaction of its own, works in it, and commits; the row is held from the draw until the
 * commit has arrived. At most so many transactions are open at a time, as with a pool of connections.
 */
final class TransactionalInstance extends Instance {

    private final long workNanos;
    private final int most;
    private int open;

    TransactionalInstance(Link link, SimulatedCallers callers, InHandTally tally, long workNanos, int most) {
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
