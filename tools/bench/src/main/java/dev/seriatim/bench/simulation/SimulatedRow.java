// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/**
 * The sequence's row, held by one transaction at a time, in the order of requests. Each call takes a trip through the network in each
 * direction. What a reservation takes beside the row is half before the row is locked, half after its release.
 */
final class SimulatedRow {

    private final Timeline timeline;

    private final long beforeNanos;
    private final long rowNanos;
    private final long afterNanos;
    private final long readNanos;
    private final ArrayDeque<Runnable> asking = new ArrayDeque<>();
    private boolean held;
    private long heldSince;
    private long nextValue = 1;

    private long busyNanos;
    private long transactions;

    SimulatedRow(Timeline timeline, StoreTimes store) {
        this.timeline = timeline;
        rowNanos = Timeline.nanos(store.row());
        readNanos = Timeline.nanos(store.read());
        long beside = Timeline.nanos(store.reservation()) - rowNanos;
        beforeNanos = beside / 2;
        afterNanos = beside - beforeNanos;
    }

    /** Reserves in a separate transaction, with one call; passes on the first value at the row, and then at the instance. */
    void reserve(long trip, long count, LongConsumer reserved, LongConsumer answered) {
        lock(trip, () -> {
            long first = take(count);
            reserved.accept(first);
            release(trip, () -> answered.accept(first));
        });
    }

    /** Begins a transaction that draws, and passes its value to the instance: the row stays locked until {@link #commit}. */
    void begin(long trip, LongConsumer begun) {
        lock(trip, () -> {
            long value = take(1);
            timeline.in(trip, () -> begun.accept(value));
        });
    }

    /** Commits a transaction at a future time: releases the row when the commit arrives, then the answer returns. */
    void commit(long trip, long when, Runnable committed) {
        timeline.at(when + trip, () -> release(trip, committed));
    }

    /** Reads the counter, which waits for no lock: the value that the next reservation takes first. */
    void read(long trip, LongConsumer answered) {
        long there = readNanos / 2;
        timeline.in(trip + there, () -> {
            long counter = nextValue;
            timeline.in(readNanos - there + trip, () -> answered.accept(counter));
        });
    }

    private void lock(long trip, Runnable done) {
        Runnable give = () -> {
            held = true;
            heldSince = timeline.now();
            timeline.in(rowNanos, done);
        };
        timeline.in(trip + beforeNanos, () -> {
            if (held) {
                asking.add(give);
            } else {
                give.run();
            }
        });
    }

    private void release(long trip, Runnable answered) {
        held = false;
        transactions++;
        busyNanos += timeline.now() - heldSince;
        Runnable next = asking.poll();
        if (next != null) {
            next.run();
        }
        timeline.in(afterNanos + trip, answered);
    }

    /** Increments the counter, for the transaction that holds the row, and returns the first value taken. */
    long take(long count) {
        long first = nextValue;
        nextValue += count;
        return first;
    }

    long taken() {
        return nextValue - 1;
    }

    long busyNanos() {
        return busyNanos + (held ? timeline.now() - heldSince : 0);
    }

    /** Returns the number of ended transactions that have held it. */
    long transactions() {
        return transactions;
    }
}
