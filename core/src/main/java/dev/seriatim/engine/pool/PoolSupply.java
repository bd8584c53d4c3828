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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This instance's knowledge of a pool, and its refills, one at a time. The number left follows from places alone: every claim
 * takes the lowest numbers, so the place of the latest claim is the position of all processes. Numbers that rollbacks have put
 * back are extra. Thread-safe; the lock is never held across a call to the store or a listener.
 */
final class PoolSupply {

    /** Small, because claims search the numbers; not too small, because each refill is a commit. */
    private static final Allocation.Adaptive SIZES = new Allocation.Adaptive(64, 10_000, 1);

    /** The lowest mark, for a sequence that is drawn from so rarely that its measured rate is zero. */
    private static final long LEAST_LEFT = 32;

    final SequenceContext context;
    final PoolingStore<?> store;
    private final Pool<?> pool;
    final Timing timing;
    final ReentrantLock lock;

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

    /** Numbers that callers have claimed here. */
    long claimed;

    /** Numbers that callers are claiming now. */
    long claiming;

    /** Numbers that callers wait for. */
    long waiting;

    long arrivals;

    /** Refills that have failed, except abandoned refills and lost answers, which the next refill explains. */
    long failures;

    @Nullable
    SequenceException failure;

    /** The latest failure, abandoned refills included: the cause for callers that time out. */
    @Nullable
    SequenceException latestFailure;

    /** Nothing is left to lay out, but open transactions may put numbers back. */
    boolean allHeld;

    /** When the refill that failed last became due. */
    private long failedSince;

    /** The latest refill found every number committed, and no more to lay out. */
    boolean allCommitted;

    PoolSupply(SequenceContext context, PoolingStore<?> store, Pool<?> pool) {
        this.context = context;
        this.store = store;
        this.pool = pool;
        this.timing = context.timing();
        this.lock = timing.lock();
        this.news = lock.newCondition();
        this.shutdown = new Shutdown(context, lock, news);
        this.backOff = BackOff.afterFailure(timing);
        this.refills = new Tasks<>(timing, context.patienceNanos(), 1);
    }

    PoolVisit visit() {
        return locked(() -> new PoolVisit(this));
    }

    /** Runs work under the lock. Not for work that must be done although no memory is left. */
    <R> R locked(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    long left() {
        return last - reached - claiming;
    }

    private long wanted() {
        return claimed + claiming + waiting;
    }

    void refillIfDue() {
        Refill refill = nextDue();
        if (refill != null) {
            context.execute(refill);
        }
    }

    /** Waiting callers are turned away at their next check. */
    void close() {
        shutdown.run(() -> () -> {}, refills::isEmpty, deadline -> {});
    }

    /** Whether the store refused a refill that became due before that moment, and may no longer refuse. */
    boolean refusedBefore(long moment) {
        return backOff.refused() && failedSince - moment < 0;
    }

    private @Nullable Refill nextDue() {
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
                why = StoreFailures.ofStore(context.name(), e);
            }
            end(extent, why);
        }

        @Override
        public void refused(Throwable why) {
            if (begins()) {
                end(null, StoreFailures.ofExecutor(context.name(), why));
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
                    if (!late && why != null) { // after a late one, callers wait for the next
                        failed(why);
                    }
                } else if (!alone && extent.last() < last) {
                    arrivals++; // another refill has overtaken it
                } else {
                    arrived(extent, took, alone);
                }
                news.signalAll();
            } finally {
                lock.unlock();
            }
            report(extent, why, took);
        }

        private void arrived(Pool.Extent extent, long took, boolean alone) {
            long grown = extent.last() - last;
            if (grown < 0) { // a new pool of the same name
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
                // The first refill may have created the table, so its latency says nothing about the others.
                sizing.arrived(timing.now(), wanted(), grown, arrivals == 1 ? 0 : took, waiting > grown);
            }
        }

        private void failed(SequenceException why) {
            failedSince = calledAt();
            backOff.failed(why);
            if (why instanceof SequenceException.CommitOutcomeUnknown) {
                arrivals++; // the next refill shows the outcome
            } else {
                failure = why;
                failures++;
            }
        }

        private void report(Pool.@Nullable Extent extent, @Nullable SequenceException why, long took) {
            Block block = extent == null ? null : extent.laidOut();
            if (block != null) {
                context.listener().call(l -> l.reserved(context.name(), block, Duration.ofNanos(took)));
            } else if (why instanceof SequenceException.CommitOutcomeUnknown) {
                context.listener().call(l -> l.outcomeUnknown(context.name(), count));
            } else if (why != null) {
                context.listener().call(l -> l.failed(context.name(), why));
            }
        }
    }
}
