// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.ArrayDeque;

/**
 * SYNC and ASYNC: a transaction per value, a limited number at a time. In SYNC it is the caller's own: the caller draws, works, and
 * commits, and the row is held until the commit arrives. In ASYNC it is a reservation.
 */
final class SeparateInstance extends Instance {

    /** The limit of the library in ASYNC. */
    private static final int MOST_RESERVATIONS = 16;

    /** The limit in SYNC if callers arrive at a rate: HikariCP's default number of connections. */
    private static final int CONNECTIONS = 10;

    private final boolean callersTransaction;
    private final int most;

    /** Values of reservations on their way from the row, in order. */
    private final ArrayDeque<Long> underWay = new ArrayDeque<>();

    private int open;

    SeparateInstance(Shared shared, long tripNanos, SimulatedCallers callers) {
        super(shared, tripNanos, callers);
        callersTransaction = plan.mode().drawsInTransaction();
        most = !callersTransaction
                ? MOST_RESERVATIONS
                : plan.demand() instanceof Demand.Threads threads ? threads.threads() : CONNECTIONS;
    }

    @Override
    void begin() {
        while (open < most && callers.takeOne(timeline.now())) {
            open++;
            if (callersTransaction) {
                row.begin(tripNanos, this::drawn);
            } else {
                row.reserve(tripNanos, 1, underWay::add, this::reserved);
            }
        }
        if (open < most) {
            next(callers.arrival(1), this::begin);
        }
    }

    @Override
    Hand hand(long now) { // in SYNC a crash rolls back
        return underWay.isEmpty() ? Hand.EMPTY : new Hand(underWay.size(), underWay.element(), 0);
    }

    private void drawn(long value) {
        serve(value);
        row.commit(tripNanos, timeline.now() + plan.work().toNanos(), this::ended);
    }

    private void reserved(long value) {
        underWay.remove();
        serve(value);
        ended();
    }

    private void serve(long value) {
        callers.served(1, timeline.now());
        tally.dealt(value);
    }

    private void ended() {
        open--;
        callers.back(1, timeline.now());
        begin();
    }
}
