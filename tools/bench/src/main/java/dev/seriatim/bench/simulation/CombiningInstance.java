// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/**
 * COMBINED: callers that wait when a reservation is sent share it; later ones wait for the next. Before it is sent, it lingers for a
 * moment for the callers of the previous one.
 */
final class CombiningInstance extends Instance {

    private final LingeringLine line;
    private final LingeringLine.Last last = new LingeringLine.Last();
    private boolean reserved;
    private long first;
    private long sentFor;

    CombiningInstance(StoreLink link, SimulatedCallers callers, InHandTally tally) {
        super(link, callers, tally);
        line = new LingeringLine(callers);
    }

    @Override
    void begin() {
        next(callers.arrival(1), this::gather);
    }

    @Override
    Hand hand(long now) {
        return reserved ? new Hand(sentFor, first, 0) : Hand.EMPTY;
    }

    private void gather() {
        next(line.linger(timeline.now(), last), this::send);
    }

    private void send() {
        sentFor = line.leave();
        long sent = timeline.now();
        link.reserve(sentFor, this::reserved, value -> landed(sent));
    }

    private void reserved(long value) {
        reserved = true;
        first = value;
    }

    private void landed(long sent) {
        long now = timeline.now();
        reserved = false;
        tally.dealt(first + sentFor - 1);
        line.join(now);
        line.ended(last, sentFor, now - sent);
        callers.served(sentFor, now);
        callers.back(sentFor, now);
        if (line.waiting() > 0) {
            gather();
        } else {
            begin();
        }
    }
}
