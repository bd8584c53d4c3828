// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.util.Locale;

/** The values of {@code advise --guarantee}, each with the fastest mode that provides it. */
enum Guarantee {
    UNIQUE {
        @Override
        Advice advise(ExpectedLoad load) {
            long size = load.blockSize();
            long mark = load.lowWaterMark();
            boolean adaptive = size <= Allocation.Adaptive.DEFAULT_MAX_BLOCK;
            return new Advice(
                    adaptive ? DrawMode.ADAPTIVE : DrawMode.ASYNC_BATCH,
                    adaptive
                            ? "blocks are dealt from memory; ADAPTIVE finds this size and mark by itself, ASYNC_BATCH"
                                    + " keeps those that you set"
                            : "blocks are dealt from memory; those of ADAPTIVE have at most "
                                    + Allocation.Adaptive.DEFAULT_MAX_BLOCK + " values by default",
                    null,
                    new Advice.Blocks(size, mark),
                    load.perSecond(),
                    load.reservations(size),
                    size + mark);
        }
    },
    ORDERED {
        @Override
        Advice advise(ExpectedLoad load) {
            Duration read = load.measuredRead();
            return read != null && read.compareTo(load.latency()) >= 0 ? byReservations(load, read) : byReads(load);
        }
    },
    GAPLESS {
        @Override
        Advice advise(ExpectedLoad load) {
            if (load.servedOneByOne("1")) {
                return inTurn(load);
            }
            return load.callers() <= GroupedSequence.MOST_UNITS ? inGroups(load) : sideBySide(load);
        }
    };

    private static final String COST_OF_POOLED = "a rollback puts its number back, so numbers are gapless, but not in"
            + " commit order; only some databases support it";

    abstract Advice advise(ExpectedLoad load);

    private static Advice byReads(ExpectedLoad load) {
        long callers = load.callersOfReads();
        return Advice.withoutBlocks(
                DrawMode.CONFIRMED,
                "a read confirms that the reserved values are the newest, so few draws wait for a transaction; the"
                        + " rate is reached when " + waiting(callers) + ", if a read takes "
                        + AdviceReport.time(load.readLatency())
                        + " and few draws come from other sessions; beside others that draw all the time, it is as"
                        + " fast as COMBINED",
                withoutReads(load),
                load.reached(DrawMode.CONFIRMED, callers),
                load.reservations(Allocation.Confirmed.DEFAULT_MAX_BLOCK),
                Allocation.Confirmed.DEFAULT_MAX_BLOCK);
    }

    private static Advice byReservations(ExpectedLoad load, Duration read) {
        long callers = load.callers();
        return Advice.withoutBlocks(
                DrawMode.COMBINED,
                "waiting callers share a reservation, so the rate is reached when " + waiting(callers) + "; a read ("
                        + AdviceReport.time(read) + ") is not faster than a reservation ("
                        + AdviceReport.time(load.latency()) + "), so CONFIRMED gains nothing",
                null,
                load.reached(DrawMode.COMBINED, callers),
                load.perSecond().min(load.reservationLimit()),
                callers);
    }

    private static Advice inTurn(ExpectedLoad load) {
        return Advice.withoutBlocks(
                DrawMode.SYNC,
                "a rollback takes its numbers back; transactions of this sequence run one after another, so keep them"
                        + " short: the latency is that of the whole transaction",
                load.servedOneByOne("0.5")
                        ? null
                        : "POOLED, if transactions wait too long for each other: they run side by side, since this rate"
                                + " keeps the row busy more than half of the time; " + COST_OF_POOLED,
                load.reached(DrawMode.SYNC, load.callers()),
                load.perSecond(),
                0);
    }

    private static Advice inGroups(ExpectedLoad load) {
        long callers = load.callers();
        return Advice.withoutBlocks(
                DrawMode.GROUPED,
                "transactions of this sequence run one after another, which is too slow for this rate; waiting callers"
                        + " share one transaction and its commit, so the rate is reached when " + waiting(callers)
                        + " and each works at most " + AdviceReport.time(load.longestWork(DrawMode.GROUPED))
                        + " before the commit",
                "POOLED, if they work longer than that: transactions run side by side, and the rate is reached with "
                        + callers + " open at the same time; " + COST_OF_POOLED,
                load.reached(DrawMode.GROUPED, callers),
                load.reservationLimit(),
                0);
    }

    private static Advice sideBySide(ExpectedLoad load) {
        long callers = load.callers();
        return Advice.withoutBlocks(
                DrawMode.POOLED,
                "transactions run side by side, and the rate is reached with " + callers + " open at the same time, if"
                        + " the database serves that many ('bench --mode POOLED' measures it); " + COST_OF_POOLED,
                "GROUPED, for numbers in commit order: it reaches "
                        + AdviceReport.shown(load.reached(DrawMode.GROUPED, callers)) + "/s at this latency, since at"
                        + " most " + GroupedSequence.MOST_UNITS + " callers share a transaction; draw at least "
                        + callers + " values in each transaction, make it shorter, or use several sequences",
                load.reached(DrawMode.POOLED, callers),
                load.reservations(load.blockSize()),
                0);
    }

    private static String withoutReads(ExpectedLoad load) {
        String where =
                " on a store that refuses CONFIRMED ('bench' says so), or to lose nothing but draws under way in a"
                        + " crash: ";
        return load.servedOneByOne("0.5")
                ? DrawMode.ASYNC + where + "a transaction per value keeps the row busy less than half of the time"
                : DrawMode.COMBINED + where + "waiting callers share a transaction, so the rate is reached when "
                        + waiting(load.callers());
    }

    private static String waiting(long callers) {
        return callers == 1 ? "1 caller waits" : callers + " callers wait at the same time";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
