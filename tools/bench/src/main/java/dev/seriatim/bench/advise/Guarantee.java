// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.Allocation;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.util.Locale;

/** The values of {@code advise --guarantee}, each with the fastest mode that provides it. */
enum Guarantee {
    UNIQUE,
    ORDERED,
    GAPLESS;

    private static final String COST_OF_POOLED =
            "; numbers are gapless, but not in commit order, and only some databases support it";

    Advice advise(ExpectedLoad load) {
        Duration read = load.measuredRead();
        boolean slow = read != null && read.compareTo(load.latency()) >= 0;
        return switch (this) {
            case UNIQUE -> inBlocks(load);
            case ORDERED -> slow || load.instances() > 1 ? byReservations(load, slow) : byReads(load);
            case GAPLESS ->
                load.carriedBy(DrawMode.SYNC)
                        ? inTurn(load)
                        : load.carriedBy(DrawMode.GROUPED) ? inGroups(load) : sideBySide(load);
        };
    }

    private static Advice inBlocks(ExpectedLoad load) {
        SimulationPlan.Blocks blocks = load.blocks();
        long mostAdaptive = Allocation.Adaptive.DEFAULT_MAX_BLOCK;
        boolean adaptive = blocks.size() <= mostAdaptive;
        return new Advice(
                adaptive ? DrawMode.ADAPTIVE : DrawMode.ASYNC_BATCH,
                "blocks are dealt from memory; "
                        + (adaptive
                                ? "ADAPTIVE finds this size and mark by itself, ASYNC_BATCH keeps those that you set"
                                : "those of ADAPTIVE have at most " + mostAdaptive + " values by default"),
                null,
                blocks,
                load.reservations(blocks.size()),
                blocks.size() + blocks.lowWaterMark());
    }

    private static Advice byReads(ExpectedLoad load) {
        long ahead = Allocation.Confirmed.DEFAULT_MAX_BLOCK;
        DrawMode other = load.busy() <= 0.5 ? DrawMode.ASYNC : DrawMode.COMBINED;
        return new Advice(
                DrawMode.CONFIRMED,
                "few draws wait for a transaction, since a read confirms the reserved values; "
                        + reached(load, load.readLatency()) + ", if a read takes "
                        + Advice.time(load.readLatency()) + " and other sessions draw seldom",
                other + " on a store that refuses CONFIRMED, or to lose nothing but draws under way in a crash"
                        + (other == DrawMode.ASYNC ? "" : "; " + reached(load, load.latency())),
                null,
                load.reservations(ahead),
                ahead);
    }

    private static Advice byReservations(ExpectedLoad load, boolean slow) {
        return new Advice(
                DrawMode.COMBINED,
                "waiting callers share a reservation; " + reached(load, load.latency())
                        + (slow
                                ? "; a read is not faster than a reservation"
                                : "; CONFIRMED is no faster while other instances draw"),
                load.carriedBy(DrawMode.COMBINED)
                        ? null
                        : "several sequences: no mode carries this rate; callers wait for "
                                + Advice.time(load.longestWait(true)) + ", longer than the default patience",
                null,
                load.perSecond().min(load.limit(load.latency())),
                load.callers());
    }

    private static Advice inTurn(ExpectedLoad load) {
        return new Advice(
                DrawMode.SYNC,
                "a rollback takes its numbers back; transactions run one after another, so keep them short",
                load.busy() <= 0.5
                        ? null
                        : "POOLED, if transactions wait too long for each other: they run side by side"
                                + COST_OF_POOLED,
                null,
                load.perSecond(),
                0);
    }

    private static Advice inGroups(ExpectedLoad load) {
        return new Advice(
                DrawMode.GROUPED,
                "single transactions, one after another, are too slow; waiting callers share one and its commit; "
                        + reached(load, load.latency()) + " and each works at most "
                        + Advice.time(load.longestWorkInGroups()) + " before the commit",
                "POOLED, if they work longer: transactions run side by side, " + load.callers()
                        + " open at the same time" + COST_OF_POOLED,
                null,
                load.perSecond().min(load.limit(load.latency())),
                0);
    }

    private static Advice sideBySide(ExpectedLoad load) {
        long callers = load.callers();
        return new Advice(
                DrawMode.POOLED,
                "transactions run side by side, with " + callers
                        + " open at the same time, if the database serves that many" + COST_OF_POOLED,
                "GROUPED, for numbers in commit order: it reaches "
                        + Advice.shown(load.reached(DrawMode.GROUPED)) + "/s, with waits of up to "
                        + Advice.time(load.longestWait(true)) + "; draw at least " + callers
                        + " values in each transaction, make it shorter, or use several sequences",
                null,
                load.reservations(load.blocks().size()),
                0);
    }

    private static String reached(ExpectedLoad load, Duration call) {
        long callers = load.callers(call);
        return "the rate is reached when "
                + (callers == 1 ? "1 caller waits" : callers + " callers wait at the same time")
                + (load.instances() == 1 ? "" : " in each instance, for up to " + Advice.time(load.longestWait(true)));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
