// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Callers that arrive as a Poisson process and draw once.
 *
 * <p>The arrival of the k-th caller follows the gamma distribution, the number of arrivals before it the binomial distribution, and
 * the number in other periods the Poisson distribution. This is the same process as one caller at a time, at a cost that does not
 * grow with their number. Waiting callers are kept as periods in which they arrived evenly.
 */
final class Arrivals implements SimulatedCallers {

    private static final long NOT_ASKED = 0;

    private record Waiting(long from, long to, long count) {}

    private final double meanNanos;
    private final Distributions chance;
    private final Tally tally;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** The arrival of the next caller that is neither served nor waiting. */
    private long next;

    /** The index of the caller asked for, counted from the next, and its arrival. */
    private long asked = NOT_ASKED;

    private long askedAt;

    Arrivals(double perSecond, SplittableRandom random, Tally tally) {
        this.meanNanos = 1e9 / perSecond;
        this.chance = new Distributions(random);
        this.tally = tally;
        this.next = after(0);
    }

    @Override
    public long arrival(long k) {
        return draw(k);
    }

    @Override
    public long draw(long k) {
        if (asked != k) {
            // The previous answer is dropped: the process has no memory.
            asked = k;
            askedAt = k == 1 ? next : next + nanos(chance.gamma(k - 1));
        }
        return askedAt;
    }

    @Override
    public void dealt(long count) {
        if (count == 0) {
            return;
        }
        if (count != asked && count != asked - 1) {
            throw new IllegalStateException("asked for " + asked + " callers, not " + count);
        }
        tally.atOnce(count, next, askedAt);
        next = count == asked ? after(askedAt) : askedAt;
        asked = NOT_ASKED;
    }

    @Override
    public long dealtBy(long time) {
        long from = next;
        long count = comeBy(time);
        tally.atOnce(count, from, time);
        return count;
    }

    @Override
    public long drawsBy(long time) {
        if (time < next) {
            return 0;
        }
        return asked > 1 && askedAt > next && time < askedAt
                ? 1 + Math.round((asked - 2) * ((double) (time - next) / (askedAt - next)))
                : 1 + Math.round((time - next) / meanNanos);
    }

    @Override
    public boolean takeOne(long time) {
        if (next > time) {
            return false;
        }
        waiting.add(new Waiting(next, next, 1));
        next = after(next);
        asked = NOT_ASKED;
        return true;
    }

    @Override
    public long takeAll(long time) {
        long from = next;
        long count = comeBy(time);
        if (count > 0) {
            waiting.add(new Waiting(from, count == 1 ? from : time, count));
        }
        return count;
    }

    @Override
    public void served(long count, long time) {
        long left = count;
        while (left > 0) {
            Waiting first = waiting.remove();
            long some = Math.min(left, first.count);
            long until = first.from + (long) ((first.to - first.from) * ((double) some / first.count));
            tally.cameBetween(first.from, until, some, time);
            if (some < first.count) {
                waiting.addFirst(new Waiting(until, first.to, first.count - some));
            }
            left -= some;
        }
    }

    @Override
    public long waitingSince(long time) {
        return Math.min(time, waiting.isEmpty() ? next : waiting.element().from);
    }

    /** Returns the number of arrivals up to a time, and removes them. */
    private long comeBy(long time) {
        if (next > time) {
            return 0;
        }
        long count;
        if (asked != NOT_ASKED && askedAt > time) {
            count = 1 + chance.binomial(asked - 2, (double) (time - next) / (askedAt - next));
        } else if (asked != NOT_ASKED) {
            count = asked + chance.poisson((time - askedAt) / meanNanos);
        } else {
            count = 1 + chance.poisson((time - next) / meanNanos);
        }
        asked = NOT_ASKED;
        next = after(time);
        return count;
    }

    private long after(long time) {
        return time + nanos(chance.exponential());
    }

    private long nanos(double times) {
        return (long) Math.ceil(times * meanNanos);
    }
}
