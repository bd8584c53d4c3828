// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.simulation.StoreTimes;

/**
 * Estimates how long runs take on a site: their iterations, and what comes before and after. Immutable.
 *
 * @param setUp creating and dropping what a run needs, in seconds
 * @param row a transaction that inserts a row, in seconds
 * @param lanes how many inserts make progress at a time
 * @param oneWriter whether a transaction that inserts a row makes all others wait until it ends
 * @param connected whether each client has a connection
 */
record RunTime(StoreTimes store, double setUp, double row, int lanes, boolean oneWriter, boolean connected) {

    /** A sequence and a table are created and dropped. */
    private static final int SET_UP_CALLS = 4;

    /** Numbers per second that several threads draw from memory, record and check; most machines do more. */
    private static final double FROM_MEMORY = 1e7;

    /** Seconds that a client with a connection needs to start and to end: on two processors, 128 of them took 0.4 s. */
    private static final double PER_CLIENT = 0.003;

    /** Seconds that another Java needs to start and to open the store. */
    private static final double PER_PROCESS = 0.8;

    /** Assumes that a transaction that inserts a row takes as long as a reservation, as does each step that sets a run up. */
    static RunTime on(Site site, StoreTimes store) {
        double call = store.reservation();
        // A transaction waits for a disk or a network half of the time.
        int lanes = 2 * Runtime.getRuntime().availableProcessors();
        return new RunTime(store, SET_UP_CALLS * call, call, lanes, site.hasOneWriter(), site.hasConnections());
    }

    double of(RunPlan plan) {
        double perSecond = perSecond(plan);
        double clients = connected ? plan.threads() * PER_CLIENT : 0;
        // Clients complete what they have begun when time is up, twice: at the end of the warm-up and of the run.
        double ending =
                plan.workload() instanceof ClosedLoop loop && loop.isTimed() ? 2 * plan.threads() / perSecond : 0;
        return setUp
                + clients
                + (plan.setting().processes() - 1) * PER_PROCESS
                + plan.workload().estimateSeconds(perSecond)
                + ending;
    }

    /** Returns the iterations per second. */
    private double perSecond(RunPlan plan) {
        Contender mode = plan.mode();
        int rows = plan.setting().rows();
        if (rows == 0) {
            int processes = plan.setting().processes();
            double limit = mode.limitPerSecond(plan.threads() * processes, store, plan.appSeconds()) / processes;
            return mode.dealsFromMemory() ? Math.min(limit, FROM_MEMORY) : limit;
        }
        // A statement that makes all rows takes about as long as two that make one.
        boolean inOne = plan.setting().inOneStatement();
        double insert = inOne ? 2 * row : rows * row;
        boolean none = mode.dealsFromMemory() || !mode.drawsFromTheSequence();
        double work = plan.appSeconds() + insert;
        double calls = none ? 0 : inOne ? rows : 1;
        double limit = mode.limitPerSecond(plan.threads(), store.times(calls), work);
        return Math.min(limit, oneWriter ? 1 / work : lanes / insert);
    }
}
