// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.store.SequenceStore;
import java.util.ArrayDeque;

/**
 * BATCH, ASYNC_BATCH and ADAPTIVE, which differ in the library's own {@link Sizing}. Values are dealt from memory, so only a
 * draw that fetches the next block, or finds no value, is an event.
 */
final class BlockInstance extends Instance {

    private final Sizing sizing;
    private final BlocksInHand stock;

    /** Blocks on their way from the row: first value and count, in order. */
    private final ArrayDeque<long[]> underWay = new ArrayDeque<>();

    private boolean begun;
    private int reservations;

    /** Values that the reservations under way request. */
    private long requested;

    /** Callers that wait for a reservation that has not begun. */
    private long waiting;

    /** Callers whose reservation is under way. */
    private long expected;

    BlockInstance(Shared shared, long tripNanos, SimulatedCallers callers, Sizing sizing) {
        super(shared, tripNanos, callers);
        this.sizing = sizing;
        this.stock = new BlocksInHand(sizing);
    }

    @Override
    void begin() {
        if (stock.inHand() == 0) {
            long callersNeeded = callersUntilNextReservation();
            next(callersNeeded == Timeline.NEVER ? Timeline.NEVER : callers.arrival(callersNeeded), this::findNothing);
            return;
        }
        long toTrigger = stock.drawsToTrigger();
        long draws = toTrigger > 0 ? toTrigger : stock.remaining() + 1;
        next(callers.draw(draws), () -> draw(draws));
    }

    @Override
    void end(long now) {
        if (stock.inHand() > 0) {
            callers.dealtBy(now);
        }
    }

    @Override
    Hand hand(long now) {
        long draws = Math.min(stock.remaining(), stock.inHand() == 0 ? 0 : callers.drawsBy(now));
        long count = stock.inHand() - draws;
        long lowest = stock.value(draws);
        for (long[] block : underWay) {
            count += block[1];
            lowest = Math.min(lowest, block[0]);
        }
        return new Hand(count, lowest, draws > 0 ? stock.value(draws - 1) : 0);
    }

    @Override
    long waitingSince(long now) {
        return stock.inHand() > 0 ? now : callers.waitingSince(now);
    }

    /** While no value is reserved, waiting callers may require one more reservation than is under way. */
    private long callersUntilNextReservation() {
        if (reservations == 0) {
            return 1;
        }
        boolean ahead =
                begun && reservations < sizing.maxReservations() && sizing.lowWaterMark() != FixedSizing.NO_MARK;
        return ahead ? Math.max(1, requested - waiting - sizing.lowWaterMark()) : Timeline.NEVER;
    }

    private void findNothing() {
        waiting += callers.takeAll(timeline.now());
        launch();
        begin();
    }

    /** Deals all draws up to one that fetches the next block, or that finds this one used up. */
    private void draw(long draws) {
        if (draws <= stock.remaining()) {
            deal(draws);
            launch();
        } else {
            deal(stock.remaining());
            stock.beginNext();
        }
        begin();
    }

    private void deal(long count) {
        callers.dealt(count);
        taken(count);
    }

    private void taken(long count) {
        stock.deal(count);
        if (count > 0) {
            tally.dealt(stock.last());
        }
    }

    private void launch() {
        while (reservations < sizing.maxReservations() && calledFor()) {
            long group = waiting;
            long ask = Math.max(blockSize(), waiting);
            long sent = timeline.now();
            waiting = 0;
            reservations++;
            requested += ask;
            expected += group;
            sizing.sent(sent, stock.dealt() + expected);
            row.reserve(
                    tripNanos,
                    ask,
                    first -> underWay.add(new long[] {first, ask}),
                    first -> landed(first, ask, group, sent));
        }
    }

    /** The first block has the size in the sequence's definition, here the default. */
    private long blockSize() {
        long size = sizing.size();
        return size == SequenceStore.CACHE ? SequenceDefinition.DEFAULT_CACHE : size;
    }

    private boolean calledFor() {
        boolean forCallers = waiting > 0 && reservations == 0;
        long mark = sizing.lowWaterMark();
        return forCallers || (begun && mark != FixedSizing.NO_MARK && stock.inHand() + requested - waiting <= mark);
    }

    private void landed(long first, long ask, long group, long sent) {
        long now = timeline.now();
        underWay.remove();
        reservations--;
        requested -= ask;
        expected -= group;
        if (stock.inHand() > 0) {
            taken(callers.dealtBy(now - 1)); // those of this moment have events of their own
        } else {
            waiting += callers.takeAll(now);
        }
        waiting += group;
        begun = true;
        sizing.arrived(now, stock.dealt() + waiting + expected, ask, now - sent, waiting > ask);
        stock.add(first, ask);
        serve(now);
        launch();
        begin();
    }

    private void serve(long now) {
        long served = Math.min(waiting, stock.inHand());
        callers.served(served, now);
        callers.back(served, now);
        waiting -= served;
        for (long left = served; left > 0; ) {
            long some = Math.min(left, stock.remaining());
            taken(some);
            left -= some;
            if (left > 0) {
                stock.beginNext();
            }
        }
    }
}
