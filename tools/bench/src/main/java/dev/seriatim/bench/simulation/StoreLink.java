// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.function.LongConsumer;

/**
 * An instance's path to the row. Each call takes {@code tripNanos} through the network in each direction.
 *
 * @param besideNanos what a reservation or transaction takes, half before the row is locked and half after its release
 * @param rowNanos how long the row is held, by a transaction until its commit arrives
 * @param readNanos how long a read takes, which waits for no lock
 */
record StoreLink(Timeline timeline, SimulatedRow row, long tripNanos, long besideNanos, long rowNanos, long readNanos) {

    /**
     * Reserves in a separate transaction, with one call.
     *
     * @param reserved called at the row, with the first value
     * @param answered called at the instance, with the first value
     */
    void reserve(long count, LongConsumer reserved, LongConsumer answered) {
        open(count, first -> {
            reserved.accept(first);
            row.release();
            timeline.at(timeline.now() + afterwards() + tripNanos, () -> answered.accept(first));
        });
    }

    /**
     * Begins a transaction that draws: the row stays locked until {@link #commit}.
     *
     * @param begun called at the instance, with the first value
     */
    void begin(long count, LongConsumer begun) {
        open(count, first -> timeline.at(timeline.now() + tripNanos, () -> begun.accept(first)));
    }

    /** Commits a transaction at a future time: releases the row when the commit arrives, then the answer returns. */
    void commit(long when, Runnable committed) {
        timeline.at(when + tripNanos, () -> {
            row.release();
            timeline.at(timeline.now() + afterwards() + tripNanos, committed);
        });
    }

    /** Reads the counter: the value that the next reservation takes first. */
    void read(LongConsumer answered) {
        long there = readNanos / 2;
        timeline.at(timeline.now() + tripNanos + there, () -> {
            long counter = row.counter();
            timeline.at(timeline.now() + readNanos - there + tripNanos, () -> answered.accept(counter));
        });
    }

    private long afterwards() {
        return besideNanos - besideNanos / 2;
    }

    private void open(long count, LongConsumer done) {
        timeline.at(
                timeline.now() + tripNanos + besideNanos / 2,
                () -> row.lock(() -> timeline.at(timeline.now() + rowNanos, () -> done.accept(row.take(count)))));
    }
}
