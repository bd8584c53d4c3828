// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.advise;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.cli.draw.DrawMode;
import java.util.Locale;

/** The values of {@code advise --guarantee}: what is wanted of the numbers, and the mode that gives it fastest. */
enum Guarantee {
    UNIQUE {
        @Override
        Advice advise(ExpectedLoad load) {
            long size = load.blockSize();
            long mark = load.lowWaterMark();
            boolean found = size <= Allocation.Adaptive.DEFAULT_MAX_BLOCK;
            String why = found
                    ? "blocks are dealt from memory, and it finds this size and mark by itself;"
                            + " ASYNC_BATCH with them is the same, fixed"
                    : "blocks are dealt from memory; ADAPTIVE stays at " + Allocation.Adaptive.DEFAULT_MAX_BLOCK
                            + " values a block unless told otherwise";
            return new Advice(
                    found ? DrawMode.ADAPTIVE : DrawMode.ASYNC_BATCH,
                    true,
                    why,
                    new Advice.Blocks(size, mark),
                    load.perSecond(),
                    load.reservations(size),
                    size + mark);
        }
    },
    ORDERED {
        @Override
        Advice advise(ExpectedLoad load) {
            long together = load.perReservation();
            return load.servedOneByOne("0.5")
                    ? Advice.withoutBlocks(
                            DrawMode.ASYNC,
                            true,
                            "a transaction per value keeps the row busy less than half of the time",
                            load.reached(DrawMode.ASYNC, together),
                            load.perSecond(),
                            together)
                    : Advice.withoutBlocks(
                            DrawMode.COMBINED,
                            true,
                            "a transaction per value would keep the row busy more than half of the time; callers that"
                                    + " wait share one, so the rate is reached when " + together
                                    + (together == 1 ? " caller waits" : " callers wait at the same time"),
                            load.reached(DrawMode.COMBINED, together),
                            load.perSecond().min(load.reservationLimit()),
                            together);
        }
    },
    GAPLESS {
        @Override
        Advice advise(ExpectedLoad load) {
            long together = load.perReservation();
            if (load.servedOneByOne("1")) {
                return Advice.withoutBlocks(
                        DrawMode.SYNC,
                        true,
                        "a rollback takes its numbers back; transactions of this sequence go one after another, so keep"
                                + " them short: the latency is that of the whole transaction",
                        load.reached(DrawMode.SYNC, together),
                        load.perSecond(),
                        0);
            }
            boolean reachable = together <= GroupedSequence.MOST_UNITS;
            String why = "transactions of this sequence go one after another, and there is no time for as many;"
                    + (reachable
                            ? " callers that wait share one and its commit, so the rate is reached when " + together
                                    + " callers wait at the same time, if the commit is most of the latency; else draw"
                                    + " that many values in each"
                            : " at most " + GroupedSequence.MOST_UNITS + " callers share one; draw at least " + together
                                    + " values in each, make them shorter, or use more sequences");
            return Advice.withoutBlocks(
                    DrawMode.GROUPED,
                    reachable,
                    why,
                    load.reached(DrawMode.GROUPED, together),
                    load.reservationLimit(),
                    0);
        }
    };

    abstract Advice advise(ExpectedLoad load);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
