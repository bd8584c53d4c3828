// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import java.util.ArrayDeque;

/** The sequence's row: held by one transaction at a time, in the order in which they ask. */
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

    /** Asks for the row; what follows happens when it is had, and must in the end {@link #release} it. */
    void lock(Runnable had) {
        if (held) {
            asking.add(had);
        } else {
            give(had);
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

    /** Moves the counter on, for who holds it, and returns the first of the values taken. */
    long take(long count) {
        long first = nextValue;
        nextValue += count;
        return first;
    }

    /** How long it has been held so far. */
    long busyNanos() {
        return busyNanos + (held ? timeline.now() - heldSince : 0);
    }

    /** How many transactions have held it and ended. */
    long reservations() {
        return reservations;
    }

    private void give(Runnable had) {
        held = true;
        heldSince = timeline.now();
        had.run();
    }
}
