// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.pool;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.BackOff;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Shutdown;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Task;
import dev.seriatim.engine.dispatch.Tasks;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.engine.sizing.AdaptiveSizing;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolingStore;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows of a pool, and when it lays out more: in the background when the numbers left come down to the low-water
 * mark, one refill at a time. Thread-safe; the lock is never held across a call to the store or a listener.
 *
 * <p>How many are left follows from places alone: claims take the lowest numbers, whoever makes them, so the place of the latest claim
 * tells how far all have come, in other processes too. Numbers that rollbacks have put back come on top.
 */
final class PoolSupply {

    /** Few, since claims search them; not too few, since each refill is a commit. */
    private static final Allocation.Adaptive SIZES = new Allocation.Adaptive(64, 10_000, 1);

    private static final long LEAST_LEFT = 32;

    final SequenceContext context;
    final PoolingStore<?> store;
    private final Pool<?> pool;
    final Timing timing;
    final ReentrantLock lock;

    /** Signalled when a refill has ended, and on closing. */
    final Condition news;

    final Shutdown shutdown;

    // Under the lock:
    private final AdaptiveSizing sizing = new AdaptiveSizing(SIZES);
    private final BackOff backOff;
    private final Tasks<Refill> refills;

    /** The last place where numbers are known to be laid out. */
    long last;

    /** The place up to which numbers are known to have been claimed. */
    long reached;

    /** How many numbers callers have claimed here. */
    long claimed;

    /** Numbers that callers are claiming now. */
    long claiming;

    /** Numbers that callers wait for. */
    long waiting;

    /** How many refills have brought something, if only knowledge. */
    long arrivals;

    /** How many refills have failed; not those that were abandoned, nor lost answers, which the next refill explains. */
    long failures;

    @Nullable
    SequenceException failure;

    /** Why the latest refill to fail failed, an abandoned one included: the cause for those who waited in vain. */
    @Nullable
    SequenceException latestFailure;

    /** Nothing is left to lay out, but open transactions may put numbers back. */
    boolean allHeld;

    /** When the refill that failed last was called for. */
    private long failedSince;

    /** The latest refill found every number committed, and nothing left to lay out. */
    boolean allCommitted;

    PoolSupply(SequenceContext context, PoolingStore<?> store, Pool<?> pool) {
        this.context = context;
        this.store = store;
        this.pool = pool;
        this.timing = context.timing;
        this.lock = timing.lock();
        this.news = lock.newCondition();
        this.shutdown = new Shutdown(context, lock, news);
        this.backOff = BackOff.afterFailure(timing);
        this.refills = new Tasks<>(timing, context.patienceNanos(), 1);
    }

    PoolVisit visit() {
        lock.lock();
        try {
            return new PoolVisit(this);
        } finally {
            lock.unlock();
        }
    }

    /** How many numbers are left for new callers. Under the lock. */
    long left() {
        return last - reached - claiming;
    }

    /** How many numbers callers have wanted here, whether they have them or not. Under the lock. */
    private long wanted() {
        return claimed + claiming + waiting;
    }

    /** Lays out more if that is called for. */
    void pump() {
        Refill refill = refillCalledFor();
        if (refill != null) {
            context.hand(refill);
        }
    }

    /** Those who wait are turned away as they look at the news. */
    void close() {
        Runnable nothing = () -> {};
        shutdown.run(() -> nothing, refills::isEmpty, nothing);
    }

    /** Whether the store refused a refill called for before that moment, and may no longer refuse. */
    boolean refusedBefore(long moment) {
        return backOff.refused() && failedSince - moment < 0;
    }

    private @Nullable Refill refillCalledFor() {
        lock.lock();
        try {
            Refill hung = refills.overdue();
            if (hung != null) {
                refills.abandon(hung);
            }
            boolean wanted =
                    waiting > 0 || (!backOff.refused() && left() <= Math.max(LEAST_LEFT, sizing.lowWaterMark()));
            if (shutdown.begun() || !refills.isEmpty() || !wanted || backOff.remaining() > 0) {
                return null;
            }
            Refill refill = new Refill(Math.max(SIZES.minBlock(), sizing.size()) + waiting);
            refills.add(refill);
            sizing.sent(refill.calledAt(), wanted());
            return refill;
        } finally {
            lock.unlock();
        }
    }

    /** Lays out numbers. Used by one thread at a time. */
    private final class Refill extends Task implements Step {
        private final long count;
        private final long arrivalsBefore = arrivals;

        Refill(long count) {
            this.count = count;
        }

        @Override
        public void run() {
            if (!begins()) {
                return;
            }
            Pool.Extent extent = null;
            SequenceException why = null;
            try {
                extent = pool.layOut(count);
            } catch (Throwable e) {
                why = StoreFailures.ofStore(context.name, e);
            }
            end(extent, why);
        }

        @Override
        public void refused(Throwable why) {
            if (begins()) {
                end(null, StoreFailures.ofExecutor(context.name, why));
            }
        }

        private boolean begins() {
            lock.lock();
            try {
                return refills.begin(this);
            } finally {
                lock.unlock();
            }
        }

        private void end(Pool.@Nullable Extent extent, @Nullable SequenceException why) {
            long took = timing.now() - calledAt();
            lock.lock();
            try {
                boolean late = !refills.end(this);
                boolean alone = arrivals == arrivalsBefore; // else another refill may know better
                if (why instanceof SequenceException.Exhausted && (alone || !late)) {
                    allHeld = false; // what was held has been committed
                    allCommitted = true;
                }
                if (extent == null) {
                    latestFailure = why;
                    if (!late && why != null) { // after a late one, callers wait for another
                        failed(why);
                    }
                } else if (!alone && extent.last() < last) {
                    arrivals++; // the other one has overtaken it
                } else {
                    arrived(extent, took, alone);
                }
                news.signalAll();
            } finally {
                lock.unlock();
            }
            tell(extent, why, took);
        }

        private void arrived(Pool.Extent extent, long took, boolean alone) {
            long grown = extent.last() - last;
            if (grown < 0) { // another pool of the same name, in place of the known one
                reached = 0;
            }
            last = extent.last();
            reached = Math.max(reached, extent.first() - 1);
            arrivals++;
            allHeld = extent.ended() && (alone || allHeld);
            allCommitted = false;
            if (allHeld) {
                backOff.heldUp();
            } else {
                backOff.succeeded();
                // The first may have created the table, which says nothing about how long the others take.
                sizing.arrived(timing.now(), wanted(), grown, arrivals == 1 ? 0 : took, waiting > grown);
            }
        }

        private void failed(SequenceException why) {
            failedSince = calledAt();
            backOff.failed(why);
            if (why instanceof SequenceException.CommitOutcomeUnknown) {
                arrivals++; // the next refill tells
            } else {
                failure = why;
                failures++;
            }
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
