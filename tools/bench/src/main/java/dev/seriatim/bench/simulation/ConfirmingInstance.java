// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.engine.sizing.TenureSizing;

/**
 * CONFIRMED: callers share a read if enough values are reserved. If the counter stands where the last reservation left it, they get
 * these; else the values are lost, and the callers share a reservation. The library's {@link TenureSizing} says how many to reserve
 * ahead.
 */
final class ConfirmingInstance extends Instance {

    private static final long UNKNOWN = -1;

    private final TenureSizing sizing;
    private final LingeringLine line;
    private final LingeringLine.Last lastReservation = new LingeringLine.Last();
    private final LingeringLine.Last lastRead = new LingeringLine.Last();

    private long held;
    private long heldFirst;

    /** The counter after the last reservation. */
    private long expected = UNKNOWN;

    private long sentFor;

    /** Values on their way from the row, and the first of them. */
    private long reserved;

    private long reservedFirst;

    ConfirmingInstance(Link link, SimulatedCallers callers, InHandTally tally, TenureSizing sizing) {
        super(link, callers, tally);
        this.sizing = sizing;
        line = new LingeringLine(callers);
    }

    @Override
    void begin() {
        next(callers.arrival(1), this::first);
    }

    @Override
    Hand hand(long now) {
        long lowest = held > 0 ? heldFirst : reserved > 0 ? reservedFirst : Hand.EMPTY.lowest();
        return new Hand(held + reserved, lowest, 0);
    }

    private void first() {
        callers.takeOne(timeline.now());
        line.rejoin(1);
        serve();
    }

    private void serve() {
        if (held >= line.waiting()) {
            long now = timeline.now();
            line.join(now); // a quick read yields to callers that return together
            next(lastRead.worthwhile() ? line.linger(now, lastRead) : now, this::attempt);
        } else {
            gather();
        }
    }

    /** Reads if the reserved values are enough for all waiting callers, including those that arrived meanwhile. */
    private void attempt() {
        if (held >= line.waiting()) {
            confirm();
        } else {
            gather();
        }
    }

    private void confirm() {
        sentFor = line.leave();
        long sent = timeline.now();
        link.read(counter -> read(counter, timeline.now() - sent));
    }

    private void read(long counter, long took) {
        if (counter == expected) {
            sizing.confirmed(took);
            long now = timeline.now();
            line.join(now);
            line.ended(lastRead, sentFor, took);
            deal();
        } else {
            sizing.read(took);
            lose();
            line.rejoin(sentFor);
            gather();
        }
    }

    private void gather() {
        next(line.linger(timeline.now(), lastReservation), this::reserve);
    }

    private void reserve() {
        sentFor = line.leave();
        long asked = sizing.size(sentFor, held);
        long sent = timeline.now();
        link.reserve(asked, first -> reserved(first, asked), first -> landed(first, asked, sent));
    }

    private void reserved(long first, long asked) {
        reserved = asked;
        reservedFirst = first;
    }

    private void landed(long first, long asked, long sent) {
        long now = timeline.now();
        reserved = 0;
        sizing.reserved(now - sent);
        if (first == expected) {
            sizing.followed(asked);
        } else {
            lose();
        }
        heldFirst = held > 0 ? heldFirst : first;
        held += asked;
        expected = first + asked;
        line.join(now);
        line.ended(lastReservation, sentFor, now - sent);
        deal();
    }

    private void lose() {
        sizing.interrupted();
        if (held > 0) {
            held = 0;
            sizing.lost();
        }
    }

    private void deal() {
        long now = timeline.now();
        held -= sentFor;
        heldFirst += sentFor;
        tally.dealt(heldFirst - 1);
        line.join(now);
        callers.served(sentFor, now);
        callers.back(sentFor, now);
        if (line.waiting() > 0) {
            serve();
        } else {
            begin();
        }
    }
}
