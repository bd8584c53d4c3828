// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.ArrayDeque;

/** ASYNC: a reservation per value, several of them under way at a time. */
final class AsyncInstance extends Instance {

    /** The limit of the library. */
    private static final int MOST_FLIGHTS = 16;

    /** Values on their way from the row, in order. */
    private final ArrayDeque<Long> underWay = new ArrayDeque<>();

    private int flights;

    AsyncInstance(StoreLink link, SimulatedCallers callers, InHandTally tally) {
        super(link, callers, tally);
    }

    @Override
    void begin() {
        while (flights < MOST_FLIGHTS && callers.takeOne(timeline.now())) {
            flights++;
            link.reserve(1, underWay::add, this::landed);
        }
        if (flights < MOST_FLIGHTS) {
            next(callers.arrival(1), this::begin);
        }
    }

    @Override
    Hand hand(long now) {
        return underWay.isEmpty() ? Hand.EMPTY : new Hand(underWay.size(), underWay.element(), 0);
    }

    private void landed(long value) {
        underWay.remove();
        flights--;
        tally.dealt(value);
        callers.served(1, timeline.now());
        callers.back(1, timeline.now());
        begin();
    }
}
