// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Closes a sequence. Its state is guarded by the sequence's lock. */
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

    /** Whether the sequence accepts no more callers. Under the lock. */
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
     * Closes the sequence: turns callers away, waits for calls under way, and runs {@code last}; waits no longer than the patience in
     * all. An interrupted thread does not wait, nor does the sequence's own listener, which may be part of a call under way.
     *
     * @param turnAway runs under the lock; the action that it returns runs outside
     * @param idle whether no call is under way; runs under the lock
     * @param last is given the deadline for what it waits for
     */
    public void run(Supplier<Runnable> turnAway, BooleanSupplier idle, LongConsumer last) {
        long deadline = context.deadline();
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
            if (!context.listener().callsHere()) {
                await(idle, deadline);
            }
            last.accept(deadline);
        } finally {
            if (first) {
                context.onClose().run();
            }
        }
    }

    /**
     * Runs a last call to the store on the executor, and waits for it until the deadline. If it has not begun by then, it never
     * does, and {@code instead} runs here.
     */
    public void runLast(Runnable call, Runnable instead, long deadline) {
        LastCall last = new LastCall(call);
        if (deadline - context.timing().now() > 0) {
            context.execute(last::run);
            await(() -> last.ended, deadline);
        }
        if (last.begins()) {
            instead.run();
        }
    }

    private final class LastCall {
        private final Runnable call;
        private final AtomicBoolean begun = new AtomicBoolean();
        private boolean ended; // under the lock

        private LastCall(Runnable call) {
            this.call = call;
        }

        private void run() {
            if (!begins()) {
                return;
            }
            try {
                call.run();
            } finally {
                lock.lock();
                try {
                    ended = true;
                    change.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        }

        /** Returns true the first time. */
        private boolean begins() {
            return !begun.getAndSet(true);
        }
    }

    /** Waits until {@code ended} holds. Returns false at the deadline, or once interrupted. */
    public boolean await(BooleanSupplier ended, long deadline) {
        lock.lock();
        try {
            long left = deadline - context.timing().now();
            while (!ended.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = change.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
