// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Callers that draw, work for a fixed time, and repeat. Exact.
 *
 * <p>Since all work for the same time, they return in the order in which they were served. So a queue of times suffices, and a
 * round of draws from memory is one addition for all.
 */
final class LoopingCallers implements SimulatedCallers {

    private final Tally tally;
    private final long workNanos;

    /** The next arrival of each, in order, minus {@link #shift}. */
    private final LongRing coming;

    private long shift;

    /** The arrivals of waiting callers, in order. */
    private final LongRing waiting;

    /** First arrivals are random within a period, as in a running application. */
    LoopingCallers(int callers, long workNanos, long spreadNanos, SplittableRandom random, Tally tally) {
        this.workNanos = workNanos;
        this.tally = tally;
        coming = new LongRing(callers);
        waiting = new LongRing(callers);
        long[] first = new long[callers];
        Arrays.setAll(first, i -> random.nextLong(Math.max(1, spreadNanos)));
        Arrays.sort(first);
        for (long time : first) {
            coming.add(time);
        }
    }

    @Override
    public long arrival(long k) {
        return k <= coming.size() ? time((int) (k - 1)) : Timeline.NEVER;
    }

    @Override
    public long draw(long k) {
        int callers = coming.size();
        return callers == 0 ? Timeline.NEVER : time((int) ((k - 1) % callers)) + (k - 1) / callers * workNanos;
    }

    @Override
    public void dealt(long count) {
        if (count > 0) {
            tally.atOnce(count, draw(1), draw(count));
            shift += count / coming.size() * workNanos;
            rotate(count % coming.size());
        }
    }

    @Override
    public long dealtBy(long time) {
        long count = drawsBy(time);
        dealt(count);
        return count;
    }

    @Override
    public long drawsBy(long time) {
        int callers = coming.size();
        if (callers == 0 || time(0) > time) {
            return 0;
        }
        long last = time(callers - 1);
        long rounds = last <= time ? (time - last) / workNanos + 1 : 0;
        return rounds * callers + before(time - rounds * workNanos);
    }

    @Override
    public boolean takeOne(long time) {
        if (coming.size() == 0 || time(0) > time) {
            return false;
        }
        waiting.add(coming.remove() + shift);
        return true;
    }

    @Override
    public long takeAll(long time) {
        long count = 0;
        while (takeOne(time)) {
            count++;
        }
        return count;
    }

    @Override
    public void served(long count, long time) {
        for (long i = 0; i < count; i++) {
            tally.took(time - waiting.remove(), 1, time);
        }
    }

    @Override
    public long waitingSince(long time) {
        if (waiting.size() > 0) {
            return waiting.get(0);
        }
        return coming.size() == 0 ? time : Math.min(time, time(0));
    }

    @Override
    public void back(long count, long time) {
        for (long i = 0; i < count; i++) {
            coming.add(time + workNanos - shift);
        }
    }

    private void rotate(long count) {
        for (long i = 0; i < count; i++) {
            coming.add(coming.remove() + workNanos);
        }
    }

    private long time(int index) {
        return coming.get(index) + shift;
    }

    /** Returns the number of arrivals of this round up to a time. */
    private int before(long time) {
        int low = 0;
        int high = coming.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (time(middle) <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** A queue of numbers with a fixed capacity. */
    private static final class LongRing {

        private final long[] slots;
        private int head;
        private int size;

        LongRing(int room) {
            slots = new long[room];
        }

        int size() {
            return size;
        }

        long get(int index) {
            int slot = head + index;
            return slots[slot < slots.length ? slot : slot - slots.length];
        }

        void add(long number) {
            int slot = head + size++;
            slots[slot < slots.length ? slot : slot - slots.length] = number;
        }

        long remove() {
            long first = slots[head];
            head = head + 1 == slots.length ? 0 : head + 1;
            size--;
            return first;
        }
    }
}
