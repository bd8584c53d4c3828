// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import java.util.function.LongConsumer;

/**
 * An instance's way to the row. Each call takes {@code tripNanos} there and as long back; the row is held while the store
 * works on it, {@code latencyNanos}, and for a transaction that goes on, until its commit has arrived.
 */
record Link(Timeline timeline, SimulatedRow row, long tripNanos, long latencyNanos) {

    /**
     * Reserves in a transaction of its own, with one call.
     *
     * @param reserved what happens on the row, with the first value
     * @param answered what happens at the instance when that is known
     */
    void reserve(long count, LongConsumer reserved, LongConsumer answered) {
        open(count, first -> {
            reserved.accept(first);
            row.release();
            timeline.at(timeline.now() + tripNanos, () -> answered.accept(first));
        });
    }

    /**
     * Begins a transaction that draws: the row stays locked until {@link #commit}.
     *
     * @param begun what happens at the instance when the first value is known
     */
    void begin(long count, LongConsumer begun) {
        open(count, first -> timeline.at(timeline.now() + tripNanos, () -> begun.accept(first)));
    }

    /** Commits a transaction at a time to come: the row is free when that has arrived, and the answer comes back. */
    void commit(long when, Runnable committed) {
        timeline.at(when + tripNanos, () -> {
            row.release();
            timeline.at(timeline.now() + tripNanos, committed);
        });
    }

    private void open(long count, LongConsumer done) {
        timeline.at(
                timeline.now() + tripNanos,
                () -> row.lock(() -> timeline.at(timeline.now() + latencyNanos, () -> done.accept(row.take(count)))));
    }
}
