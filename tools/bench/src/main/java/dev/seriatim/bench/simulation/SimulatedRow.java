// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.ArrayDeque;

/** The sequence's row, held by one transaction at a time, in the order of requests. */
final class SimulatedRow {

    private final Timeline timeline;
    private final ArrayDeque<Runnable> asking = new ArrayDeque<>();
    private boolean held;
    private long heldSince;
    private long nextValue = 1;

    private long busyNanos;
    private long reservations;

    SimulatedRow(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Requests the row; {@code locked} runs when it is locked, and must lead to {@link #release}. */
    void lock(Runnable locked) {
        if (held) {
            asking.add(locked);
        } else {
            give(locked);
        }
    }

    /** Ends the transaction that holds it. */
    void release() {
        held = false;
        reservations++;
        busyNanos += timeline.now() - heldSince;
        Runnable next = asking.poll();
        if (next != null) {
            give(next);
        }
    }

    /** Increments the counter, for the transaction that holds the row, and returns the first value taken. */
    long take(long count) {
        long first = nextValue;
        nextValue += count;
        return first;
    }

    /** Returns the value that is taken next. */
    long counter() {
        return nextValue;
    }

    /** Returns the number of values taken so far. */
    long taken() {
        return nextValue - 1;
    }

    /** Returns how long it has been held so far. */
    long busyNanos() {
        return busyNanos + (held ? timeline.now() - heldSince : 0);
    }

    /** Returns the number of ended transactions that have held it. */
    long reservations() {
        return reservations;
    }

    private void give(Runnable locked) {
        held = true;
        heldSince = timeline.now();
        locked.run();
    }
}
