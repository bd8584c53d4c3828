// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.engine.dispatch.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of a single thread, and its executor. Tasks run when the test runs them, or one after another while the
 * thread waits; when none are left, waiting advances the time. So a test determines to the nanosecond what happens
 * when. Random numbers are always the highest possible.
 */
public final class LoneTiming implements Timing, Executor {

    /** A loop that reads the clock this often without time passing never ends. */
    private static final int MOST_LOOKS = 100_000;

    /** Tasks that run while a caller waits. */
    public final Deque<Runnable> tasks = new ArrayDeque<>();

    /** Timers that run when they are due. */
    public final Queue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));

    /** Thrown by the executor instead of accepting work. */
    @Nullable
    public RuntimeException refusal;

    /** Thrown by the clock instead of accepting a timer. */
    @Nullable
    public Error noTimer;

    /** Number of signals. */
    public int news;

    /** Number of unparked threads. */
    public int woken;

    private final List<ReentrantLock> locks = new ArrayList<>();
    private long now = TimeUnit.DAYS.toNanos(-1);
    private long lookedAt;
    private int looks;

    /** A step and when it is due. */
    record Timer(long at, Runnable step) {}

    public void pass(long nanos) {
        long end = now + nanos;
        Timer next = timers.peek();
        while (next != null && next.at() <= end) {
            timers.remove();
            now = Math.max(now, next.at());
            next.step().run();
            next = timers.peek();
        }
        now = Math.max(now, end);
    }

    public void passMillis(long millis) {
        pass(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /**
     * Returns whether the thread holds a lock, which it must not during calls of a store, a listener or a caller's
     * code.
     */
    public boolean locked() {
        return locks.stream().anyMatch(ReentrantLock::isLocked);
    }

    /** Runs the task that was submitted first. */
    public void run() {
        tasks.remove().run();
    }

    @Override
    public void execute(Runnable task) {
        if (refusal != null) {
            throw refusal;
        }
        tasks.add(task);
    }

    @Override
    public long now() {
        looks = now == lookedAt ? looks + 1 : 0;
        lookedAt = now;
        if (looks > MOST_LOOKS) {
            throw new AssertionError("no time passes");
        }
        return now;
    }

    @Override
    public ReentrantLock lock() {
        ReentrantLock lock = new LoneLock();
        locks.add(lock);
        return lock;
    }

    @Override
    public void park(Object waiting, long nanos) {
        step(nanos);
    }

    @Override
    public void unpark(Thread thread) {
        woken++;
    }

    @Override
    public void yieldUntil(BooleanSupplier done, long nanos) {
        // threads switch elsewhere
    }

    @Override
    public void after(long nanos, Runnable step) {
        if (noTimer != null) {
            throw noTimer;
        }
        timers.add(new Timer(now + nanos, step));
    }

    @Override
    public <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException {
        long end = now + nanos;
        while (!future.isDone() && now < end) {
            endIfInterrupted();
            step(end - now);
        }
        if (!future.isDone()) {
            throw new TimeoutException();
        }
        return future.get();
    }

    @Override
    public <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos) {
        after(nanos, () -> future.completeExceptionally(new TimeoutException()));
        return future;
    }

    @Override
    public long jitter(long bound) {
        return bound - 1;
    }

    /** Runs another task; if there is none, advances the time. */
    private long step(long nanos) {
        long began = now();
        Timer next = timers.peek();
        if (!tasks.isEmpty()) {
            run();
        } else {
            pass(next == null ? nanos : Math.min(nanos, next.at() - now));
        }
        return nanos - (now - began);
    }

    private static void endIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private final class LoneLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        @Override
        public Condition newCondition() {
            return new News(this, super.newCondition());
        }
    }

    /** A condition that waits by running other tasks. */
    private final class News implements Condition {
        private final ReentrantLock lock;
        private final Condition real;
        private int signals;

        News(ReentrantLock lock, Condition real) {
            this.lock = lock;
            this.real = real;
        }

        @Override
        public long awaitNanos(long nanos) throws InterruptedException {
            endIfInterrupted();
            int heard = signals;
            long end = now + nanos;
            lock.unlock();
            try {
                while (signals == heard && now < end) {
                    step(end - now);
                }
                return end - now;
            } finally {
                lock.lock();
            }
        }

        @Override
        public void signalAll() {
            real.signalAll(); // throws if the lock is not held
            signals++;
            news++;
        }

        @Override
        public void signal() {
            signalAll();
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException("no wait is unlimited");
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException("no wait is unlimited");
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
            throw new UnsupportedOperationException("waits are in nanoseconds");
        }

        @Override
        public boolean awaitUntil(java.util.Date deadline) {
            throw new UnsupportedOperationException("this time has no dates");
        }
    }
}
