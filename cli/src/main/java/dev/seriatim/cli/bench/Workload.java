// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.function.LongConsumer;

/** How clients come: again and again as soon as they can, or at a rate of their own. */
sealed interface Workload permits ClosedLoop, OpenLoop {

    /** The name of this kind of experiment. */
    String scenario();

    /**
     * Lets the clients of a plan do their iterations.
     *
     * @param begun is told, a few times a second, how many iterations have begun
     */
    Measured run(RunPlan plan, Iteration iteration, StopSignal stop, LongConsumer begun);

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
