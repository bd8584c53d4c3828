// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.engine.sizing.TenureSizing;
import java.util.concurrent.TimeUnit;

/**
 * COMBINED and CONFIRMED: callers that wait when a request is sent share it; later ones wait for the next.
 *
 * <ol>
 *   <li>If enough values are reserved, the request is a read. If the counter stands where the last reservation left it, the callers get
 *       these values; else the values are lost.
 *   <li>Otherwise it is a reservation. The library's {@link TenureSizing} says how many values to reserve ahead: none in COMBINED.
 *   <li>Before it is sent, it lingers for a moment for callers of the previous one of its kind, by the library's values.
 * </ol>
 */
final class LineInstance extends Instance {

    private static final long LONGEST_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SHORTEST_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long UNKNOWN = -1;

    /** The last request of a kind: the callers when it ended, and its duration. */
    private static final class Last {
        private long around;
        private long latency;
    }

    private final TenureSizing sizing;
    private final Last lastReservation = new Last();
    private final Last lastRead = new Last();

    /** Callers that wait for the next request, and those that share the one under way. */
    private long waiting;

    private long sentFor;

    /** Values that were reserved ahead, and the first of them. */
    private long held;

    private long heldFirst;

    /** The counter after the last reservation. */
    private long expected = UNKNOWN;

    /** Values on their way from the row, and the first of them. */
    private long reserved;

    private long reservedFirst;

    LineInstance(Shared shared, long tripNanos, SimulatedCallers callers, long mostAhead) {
        super(shared, tripNanos, callers);
        this.sizing = new TenureSizing(mostAhead);
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
        waiting++;
        serve();
    }

    private void serve() {
        if (held < waiting) {
            gather();
            return;
        }
        long now = timeline.now();
        join(); // a quick read yields to callers that return together
        boolean lingers = lastRead.latency / 8 >= SHORTEST_GAP_NANOS;
        next(lingers ? linger(now, lastRead) : now, this::confirm);
    }

    /** Reads if the reserved values are enough for all waiting callers, including those that arrived meanwhile. */
    private void confirm() {
        if (held < waiting) {
            gather();
            return;
        }
        send();
        long sent = timeline.now();
        row.read(tripNanos, counter -> read(counter, timeline.now() - sent));
    }

    private void send() {
        sentFor = waiting;
        waiting = 0;
    }

    private void read(long counter, long took) {
        if (counter == expected) {
            sizing.confirmed(took);
            deal(lastRead, took);
        } else {
            sizing.read(took);
            lose();
            waiting += sentFor;
            gather();
        }
    }

    private void gather() {
        next(linger(timeline.now(), lastReservation), this::reserve);
    }

    private void reserve() {
        send();
        long asked = sizing.size(sentFor, held);
        long sent = timeline.now();
        row.reserve(
                tripNanos,
                asked,
                first -> {
                    reserved = asked;
                    reservedFirst = first;
                },
                first -> landed(first, asked, timeline.now() - sent));
    }

    private void landed(long first, long asked, long took) {
        reserved = 0;
        sizing.reserved(took);
        if (first == expected) {
            sizing.followed(asked);
        } else {
            lose();
        }
        heldFirst = held > 0 ? heldFirst : first;
        held += asked;
        expected = first + asked;
        deal(lastReservation, took);
    }

    private void lose() {
        sizing.interrupted();
        if (held > 0) {
            held = 0;
            sizing.lost();
        }
    }

    /** Ends a request: its callers get their values, while others wait for the next. */
    private void deal(Last request, long took) {
        long now = timeline.now();
        join();
        request.around = sentFor + waiting;
        request.latency = took;
        held -= sentFor;
        heldFirst += sentFor;
        tally.dealt(heldFirst - 1);
        callers.served(sentFor, now);
        callers.back(sentFor, now);
        if (waiting > 0) {
            serve();
        } else {
            begin();
        }
    }

    private void join() {
        waiting += callers.takeAll(timeline.now());
    }

    /** Takes in callers until the next request is sent, and returns when. No other event can happen meanwhile. */
    private long linger(long now, Last last) {
        join();
        long time = now;
        long left = Math.min(last.latency, LONGEST_LINGER_NANOS);
        long gap = Math.max(last.latency / 8, SHORTEST_GAP_NANOS);
        boolean coming = last.around > 1;
        while (coming && left > 0 && waiting < last.around) {
            long pause = Math.min(gap, left);
            long complete = callers.arrival(last.around - waiting);
            long until = Math.min(complete, time + pause);
            long came = callers.takeAll(until);
            waiting += came;
            left -= until - time;
            time = until;
            coming = came > 0;
        }
        return time;
    }
}
