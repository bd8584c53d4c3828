// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.TimedCalls;
import dev.seriatim.bench.simulation.StoreTimes;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Estimates how long runs take on a site: their iterations, and what comes before and after. Immutable.
 *
 * @param store calls of the store
 * @param setUp creating and dropping what a run needs, in seconds
 * @param row a transaction that inserts a row, in seconds; 0 if no rows are inserted
 * @param lanes how many inserts make progress at a time
 * @param oneWriter whether a transaction that inserts a row makes all others wait until it ends
 * @param connected whether each client has a connection
 */
record RunTime(StoreTimes store, double setUp, double row, int lanes, boolean oneWriter, boolean connected) {

    private static final int ROWS = 20;
    private static final int SET_UPS = 3;
    private static final long WARM_UP_NANOS = 200_000_000;

    /** Numbers per second that several threads draw from memory, record and check; most machines do more. */
    private static final double FROM_MEMORY = 1e7;

    /** Seconds that a client with a connection needs to start and to end: on two processors, 128 of them took 0.4 s. */
    private static final double PER_CLIENT = 0.003;

    /** Seconds that another Java needs to start and to open the store. */
    private static final double PER_PROCESS = 0.8;

    /**
     * Measures single steps on an otherwise idle site.
     *
     * @param store the measured durations of its calls
     * @param rows whether runs insert rows
     */
    static RunTime on(Site site, StoreTimes store, boolean rows) {
        // The first runs are slower than later ones.
        double sequence = TimedCalls.seconds(
                SET_UPS, () -> ScratchSequence.in(site.store()).close())[0];
        double table = rows
                ? TimedCalls.seconds(
                        SET_UPS,
                        () -> ScratchTable.in(site, ScratchTable.Key.NUMBER).close())[0]
                : 0;
        return new RunTime(
                store,
                sequence + table,
                rows ? row(site) : 0,
                // A transaction waits for a disk or a network half of the time.
                2 * Runtime.getRuntime().availableProcessors(),
                site.hasOneWriter(),
                site.hasConnections());
    }

    /** Returns the first quartile, which short disturbances do not affect. */
    private static double row(Site site) {
        try (ScratchTable table = ScratchTable.in(site, ScratchTable.Key.NUMBER)) {
            AtomicLong number = new AtomicLong();
            Runnable insert = () -> site.tables().<Boolean, RuntimeException>inTransaction(connection -> {
                table.insert(connection, List.of(number.incrementAndGet()));
                return true;
            });
            long enough = System.nanoTime() + WARM_UP_NANOS;
            do {
                insert.run();
            } while (System.nanoTime() - enough < 0);
            return TimedCalls.seconds(ROWS, insert)[ROWS / 4];
        }
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
