// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.session;

import dev.seriatim.lab.bench.contender.RunPlan;
import dev.seriatim.lab.bench.contender.Setting;
import dev.seriatim.lab.bench.load.ClosedLoop;
import dev.seriatim.lab.bench.site.LoneTimes;
import java.util.concurrent.TimeUnit;

/**
 * About how long runs take on a site: their iterations, and what comes before and after. Immutable.
 *
 * @param lone how long single steps take there
 * @param lanes how many transactions make progress at a time
 * @param connected whether each client has a connection
 */
record RunTime(LoneTimes lone, int lanes, boolean connected) {

    /** Numbers that several threads draw from memory per second, recorded and checked; most machines do more. */
    private static final double FROM_MEMORY = 1e7;

    /** What a client with a connection takes to begin and to end; on two processors, 128 of them took 0.4 seconds. */
    private static final double PER_CLIENT = 0.003;

    /** A Java that starts, and opens the store. */
    private static final double SECOND_PROCESS = 0.8;

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** In seconds. */
    double of(RunPlan plan) {
        double perSecond = perSecond(plan);
        double clients = connected ? plan.threads() * PER_CLIENT : 0;
        // What clients have begun when time is up, they end: after the warm-up, and after what is measured.
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

    /** Iterations per second: not more than there are lanes for. */
    private double perSecond(RunPlan plan) {
        Setting.Use use = plan.setting().use();
        int rows = use.rows();
        if (rows == 0) {
            double limit =
                    plan.mode().limitPerSecond(plan.threads(), lone.reservation(), plan.appLatencyNanos() / SECOND);
            return plan.mode().dealsFromMemory() ? Math.min(limit, FROM_MEMORY) : limit;
        }
        // A statement that makes all rows takes about as long as two that make one.
        double insert = use.inOneStatement() ? 2 * lone.row() : rows * lone.row();
        double draws = plan.mode().dealsFromMemory() || !plan.mode().drawsFromTheSequence() ? 0 : lone.reservation();
        double work = plan.appLatencyNanos() / SECOND + insert;
        double reservation = use.inOneStatement() ? rows * draws : draws;
        double limit = plan.mode().limitPerSecond(plan.threads(), Math.max(reservation, 1e-9), work);
        return Math.min(limit, lanes / insert);
    }
}
