// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.LoneTimes;
import java.util.concurrent.TimeUnit;

/**
 * Estimates how long runs take on a site: their iterations, and what comes before and after. Immutable.
 *
 * @param lone how long single steps take there
 * @param lanes how many inserts make progress at a time
 * @param oneWriter whether a transaction that inserts a row makes all others wait until it ends
 * @param connected whether each client has a connection
 */
record RunTime(LoneTimes lone, int lanes, boolean oneWriter, boolean connected) {

    /** Numbers per second that several threads draw from memory, record and check; most machines do more. */
    private static final double FROM_MEMORY = 1e7;

    /** Seconds that a client with a connection needs to start and to end: on two processors, 128 of them took 0.4 s. */
    private static final double PER_CLIENT = 0.003;

    /** Seconds that another Java needs to start and to open the store. */
    private static final double SECOND_PROCESS = 0.8;

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Returns the duration of a run, in seconds. */
    double of(RunPlan plan) {
        double perSecond = perSecond(plan);
        double clients = connected ? plan.threads() * PER_CLIENT : 0;
        // Clients complete what they have begun when time is up, twice: at the end of the warm-up and of the run.
        double ending =
                plan.workload() instanceof ClosedLoop loop && loop.measured().isTimed()
                        ? 2 * plan.threads() / perSecond
                        : 0;
        return lone.setUp()
                + clients
                + (plan.setting().processes() - 1) * SECOND_PROCESS
                + plan.workload().estimateSeconds(perSecond)
                + ending;
    }

    /** Returns the iterations per second. */
    private double perSecond(RunPlan plan) {
        Setting.Use use = plan.setting().use();
        int rows = use.rows();
        if (rows == 0) {
            double limit = plan.mode().limitPerSecond(plan.threads(), lone.store(), plan.appLatencyNanos() / SECOND);
            return plan.mode().dealsFromMemory() ? Math.min(limit, FROM_MEMORY) : limit;
        }
        // A statement that makes all rows takes about as long as two that make one.
        double insert = use.inOneStatement() ? 2 * lone.row() : rows * lone.row();
        boolean none = plan.mode().dealsFromMemory() || !plan.mode().drawsFromTheSequence();
        double work = plan.appLatencyNanos() / SECOND + insert;
        double times = none ? 0 : use.inOneStatement() ? rows : 1;
        double limit = plan.mode().limitPerSecond(plan.threads(), lone.store().times(times), work);
        return Math.min(limit, oneWriter ? 1 / work : lanes / insert);
    }
}
