// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import java.util.function.LongConsumer;

/**
 * An instance's network path to the row. Each call takes {@code tripNanos} in each direction. The row is held for
 * {@code latencyNanos}, or until the commit of the transaction arrives.
 */
record Link(Timeline timeline, SimulatedRow row, long tripNanos, long latencyNanos) {

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
            timeline.at(timeline.now() + tripNanos, () -> answered.accept(first));
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
            timeline.at(timeline.now() + tripNanos, committed);
        });
    }

    private void open(long count, LongConsumer done) {
        timeline.at(
                timeline.now() + tripNanos,
                () -> row.lock(() -> timeline.at(timeline.now() + latencyNanos, () -> done.accept(row.take(count)))));
    }
}
