// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.io.Serializable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** A schedule of iterations: one as soon as a thread is free, or a fixed rate. */
public sealed interface Workload extends Serializable permits ClosedLoop, OpenLoop {

    String scenario();

    /**
     * Runs the iterations.
     *
     * @param timed whether to record the start and return of each draw
     * @param begun receives the number of started iterations, a few times per second
     */
    Measured run(int clients, boolean timed, Iteration iteration, AtomicBoolean stop, LongConsumer begun);

    /** Returns the number of iterations including the warm-up; 0 if it is unknown before the end. */
    long total();

    /** Returns the estimated seconds at a maximum of iterations per second. */
    double estimateSeconds(double limitPerSecond);

    /** Returns the number of draws to expect of one client, with some reserve. */
    default int expected(int clients) {
        long share = total() / clients;
        return (int) Math.min(1 << 22, share + share / 2 + 16);
    }
}
