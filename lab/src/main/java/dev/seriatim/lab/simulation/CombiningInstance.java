// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import java.util.concurrent.TimeUnit;

/**
 * COMBINED: callers that wait when a reservation is sent share it; later ones wait for the next. Before it is sent, it lingers for a
 * moment for the callers of the previous one.
 */
final class CombiningInstance extends Instance {

    // The values of the library.
    private static final long LONGEST_GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SHORTEST_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private long waiting;
    private long around;
    private long latency;
    private boolean reserved;
    private long first;
    private long sentFor;

    CombiningInstance(Link link, SimulatedCallers callers, InHandTally tally) {
        super(link, callers, tally);
    }

    @Override
    void begin() {
        next(callers.arrival(1), this::gather);
    }

    @Override
    Hand hand(long now) {
        return reserved ? new Hand(sentFor, first, 0) : Hand.EMPTY;
    }

    /** No other event can happen at this instance, so the end is known at once. */
    private void gather() {
        long time = timeline.now();
        waiting += callers.takeAll(time);
        long left = Math.min(latency, LONGEST_GATHERING_NANOS);
        long gap = Math.max(latency / 8, SHORTEST_GAP_NANOS);
        boolean coming = around > 1;
        while (coming && left > 0 && waiting < around) {
            long pause = Math.min(gap, left);
            long complete = callers.arrival(around - waiting);
            long until = Math.min(complete, time + pause);
            long came = callers.takeAll(until);
            waiting += came;
            left -= until - time;
            time = until;
            coming = came > 0;
        }
        next(time, this::send);
    }

    private void send() {
        sentFor = waiting;
        waiting = 0;
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
        waiting = callers.takeAll(now);
        around = sentFor + waiting;
        latency = now - sent;
        callers.served(sentFor, now);
        callers.back(sentFor, now);
        if (waiting > 0) {
            gather();
        } else {
            begin();
        }
    }
}
