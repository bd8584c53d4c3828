// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.pool;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.BackOff;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.sizing.AdaptiveSizing;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolingStore;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is known here of a pool, and when more is laid out: in the background when what is left comes down to the low-water
 * mark, one flight at a time. Thread-safe; the lock is never held across a call to the store or a listener.
 *
 * <p>What is left follows from places alone: claims take the lowest numbers, whoever makes them, so the place of the latest
 * tells how far all have come, in other processes too. Numbers that rollbacks have put back come on top.
 */
final class PoolSupply {

    /** Few, since they are looked through by claims; not too few, since each refill is a commit. */
    private static final Allocation.Adaptive SIZES = new Allocation.Adaptive(64, 10_000, 1);

    private static final long LEAST_LEFT = 32;
    private static final int MAX_GIVEN_UP = 3;

    final SequenceContext context;
    final PoolingStore<?> store;
    private final Pool<?> pool;
    final Timing timing;
    final ReentrantLock lock;
    final Condition news;

    // Under the lock:
    private final AdaptiveSizing sizing = new AdaptiveSizing(SIZES);
    private final BackOff backOff;
    private @Nullable Flight underWay;
    private int givenUp;
    private long last;

    /** The place up to which numbers have been claimed, as far as anyone here knows. */
    long reached;

    /** Numbers that callers are claiming now. */
    long claiming;

    /** Numbers that callers wait for. */
    long waiting;

    /** How many flights have brought something, if only knowledge. */
    long landings;

    /** How many flights have failed. */
    long failures;

    @Nullable
    SequenceException failure;

    /** Why the latest flight to fail has failed, even one that was given up: the cause where somebody has waited in vain. */
    @Nullable
    SequenceException latestFailure;

    /** The sequence has no more to lay out, but there are numbers that open transactions may put back. */
    boolean allHeld;

    /** When the laying out that failed last was called for. */
    private long failedSince;

    /** The latest look found that every number is committed, and none left to lay out. */
    boolean allCommitted;

    boolean closed;

    PoolSupply(SequenceContext context, PoolingStore<?> store, Pool<?> pool) {
        this.context = context;
        this.store = store;
        this.pool = pool;
        this.timing = context.timing;
        this.lock = timing.lock();
        this.news = lock.newCondition();
        this.backOff = BackOff.afterFailure(timing);
    }

    PoolVisit visit() {
        lock.lock();
        try {
            return new PoolVisit(this);
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    void checkOpen() {
        if (closed) {
            throw context.closed();
        }
    }

    /** How many numbers are left for new callers. Under the lock. */
    long left() {
        return last - reached - claiming;
    }

    /** Lays out more if that is called for. */
    void pump() {
        Flight flight = launch();
        if (flight != null) {
            context.hand(flight);
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
            long patience = context.patienceNanos();
            while (underWay != null && patience > 0) {
                patience = news.awaitNanos(patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the store refused what had been called for before that moment: it may be otherwise by now. */
    boolean refusedBefore(long moment) {
        return backOff.refused() && failedSince - moment < 0;
    }

    private @Nullable Flight launch() {
        lock.lock();
        try {
            long now = timing.now();
            giveUp(now);
            boolean wanted =
                    waiting > 0 || (!backOff.refused() && left() <= Math.max(LEAST_LEFT, sizing.lowWaterMark()));
            if (closed || underWay != null || !wanted || backOff.remaining(now) > 0) {
                return null;
            }
            underWay = new Flight(now, Math.max(SIZES.minBlock(), sizing.size()) + waiting);
            sizing.sent(now, reached);
            return underWay;
        } finally {
            lock.unlock();
        }
    }

    /**
     * One that hangs must not hold up the next; what it brings in the end is taken in all the same. One that has not begun,
     * since the executor is stuck or has dropped it, holds no connection, and is not counted.
     */
    private void giveUp(long now) {
        Flight hanging = underWay;
        if (hanging != null
                && now - hanging.began > context.patienceNanos()
                && (!hanging.boarded || givenUp < MAX_GIVEN_UP)) {
            underWay = null;
            if (hanging.boarded) {
                givenUp++;
            }
        }
    }

    /** One laying out. Used by one thread at a time. */
    private final class Flight implements Step {
        private final long began;
        private final long count;
        private final long landedBefore = landings;
        private boolean boarded;

        Flight(long began, long count) {
            this.began = began;
            this.count = count;
        }

        @Override
        public void run() {
            if (!boards()) {
                return;
            }
            Pool.Extent extent = null;
            SequenceException why = null;
            try {
                extent = pool.layOut(count);
            } catch (Throwable e) {
                why = StoreFailures.ofStore(context.name, e);
            }
            land(extent, why);
        }

        @Override
        public void refused(Throwable why) {
            if (boards()) {
                land(null, StoreFailures.ofExecutor(context.name, why));
            }
        }

        /** Whether it has not been given up. */
        private boolean boards() {
            lock.lock();
            try {
                boarded = underWay == this;
                return boarded;
            } finally {
                lock.unlock();
            }
        }

        private void land(Pool.@Nullable Extent extent, @Nullable SequenceException why) {
            long took = timing.now() - began;
            lock.lock();
            try {
                boolean late = underWay != this;
                if (late) {
                    givenUp--;
                } else {
                    underWay = null;
                }
                boolean overtaken = late && landings != landedBefore;
                if (why instanceof SequenceException.Exhausted && !overtaken) {
                    allHeld = false; // what was held has been committed
                    allCommitted = true;
                }
                if (extent == null) {
                    latestFailure = why;
                    if (!late && why != null) { // who waits now waits for another
                        failed(why);
                    }
                } else if (late && extent.last() < last) {
                    landings++; // the next one has overtaken it, and knows better
                } else {
                    arrived(extent, took);
                }
                news.signalAll();
            } finally {
                lock.unlock();
            }
            tell(extent, why, took);
        }

        private void arrived(Pool.Extent extent, long took) {
            long grown = extent.last() - last;
            if (grown < 0) { // another pool of the same name, in place of the one that was known
                reached = 0;
            }
            last = extent.last();
            reached = Math.max(reached, extent.first() - 1);
            boolean alone = landings == landedBefore; // else what is missing here may be what another has brought
            landings++;
            allHeld = grown == 0 && (alone || allHeld);
            allCommitted = false;
            if (allHeld) {
                backOff.failed(stillHeld(), timing.now());
            } else {
                backOff.succeeded();
                // The first may have made the table: that says nothing about how long the others take.
                sizing.arrived(timing.now(), reached, grown, landings == 1 ? 0 : took, waiting > 0);
            }
        }

        private void failed(SequenceException why) {
            failedSince = began;
            backOff.failed(why, timing.now());
            if (why instanceof SequenceException.CommitOutcomeUnknown) {
                landings++; // the next look tells
            } else {
                failure = why;
                failures++;
            }
        }

        private SequenceException stillHeld() {
            return new SequenceException.Overloaded(context.name, "every number left is held", null);
        }

        private void tell(Pool.@Nullable Extent extent, @Nullable SequenceException why, long took) {
            Block block = extent == null ? null : extent.laidOut();
            if (block != null) {
                context.listener.tell(l -> l.reserved(context.name, block, Duration.ofNanos(took)));
            } else if (why instanceof SequenceException.CommitOutcomeUnknown) {
                context.listener.tell(l -> l.outcomeUnknown(context.name, count));
            } else if (why != null) {
                context.listener.tell(l -> l.failed(context.name, why));
            }
        }
    }
}
