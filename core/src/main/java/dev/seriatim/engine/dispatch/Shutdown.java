// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** How a sequence closes. Its state is guarded by the sequence's lock. */
public final class Shutdown {

    private final SequenceContext context;
    private final ReentrantLock lock;
    private final Condition change;
    private boolean begun;

    /** {@code change} is signalled when a task has ended. */
    public Shutdown(SequenceContext context, ReentrantLock lock, Condition change) {
        this.context = context;
        this.lock = lock;
        this.change = change;
    }

    /** Whether the sequence takes in no more callers. Under the lock. */
    public boolean begun() {
        return begun;
    }

    /** Under the lock. */
    public void checkOpen() {
        if (begun) {
            throw context.closedFailure();
        }
    }

    /**
     * Closes the sequence. Not under the lock.
     *
     * <ol>
     *   <li>Takes in no more callers, and turns away those who wait.
     *   <li>Waits for what is under way, no longer than patience lasts; not at all when interrupted, which stays so.
     *   <li>Runs {@code last}, and the first time tells that the sequence has closed.
     * </ol>
     *
     * @param turnAway runs under the lock; what it returns runs when the lock has been released
     * @param idle whether nothing is under way; runs under the lock
     */
    public void run(Supplier<Runnable> turnAway, BooleanSupplier idle, Runnable last) {
        boolean first = false;
        try {
            Runnable turnedAway;
            lock.lock();
            try {
                first = !begun;
                begun = true;
                turnedAway = turnAway.get();
                change.signalAll();
            } finally {
                lock.unlock();
            }
            turnedAway.run();
            await(idle);
            last.run();
        } finally {
            if (first) {
                context.forget();
            }
        }
    }

    private void await(BooleanSupplier idle) {
        lock.lock();
        try {
            long patience = context.patienceNanos();
            while (!idle.getAsBoolean() && patience > 0) {
                patience = change.awaitNanos(patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
