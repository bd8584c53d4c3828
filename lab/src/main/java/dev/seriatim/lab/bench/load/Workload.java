// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

import java.util.function.LongConsumer;

/** How clients come: again and again as soon as they can, or at a rate of their own. */
public sealed interface Workload permits ClosedLoop, OpenLoop {

    /** The name of this kind of experiment. */
    String scenario();

    /**
     * Lets clients do their iterations.
     *
     * @param clients how many there are, a thread each
     * @param timed whether it is noted when each draw began and returned
     * @param begun is told, a few times a second, how many iterations have begun
     */
    Measured run(int clients, boolean timed, Iteration iteration, StopSignal stop, LongConsumer begun);

    /** How many iterations there are, those of the warm-up included; 0 when that shows in the end alone. */
    long total();

    /** About how long that takes, in seconds, when this many iterations per second are possible at best. */
    double estimateSeconds(double limitPerSecond);

    /** Room for the share of one of several threads, and some more. */
    static int share(long all, int threads) {
        long share = all / threads;
        return (int) Math.min(1 << 22, share + share / 2 + 16);
    }
}
