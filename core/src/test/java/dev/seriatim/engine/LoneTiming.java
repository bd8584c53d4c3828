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
import org.jspecify.annotations.Nullable;

/**
 * The time of one thread, and its executor: tasks run when the test says so, or while the thread waits for news, one after another;
 * with none left, waiting passes the time. So a test says to the nanosecond what happens when. Chance takes the highest there is.
 */
public final class LoneTiming implements Timing, Executor {

    /** Who looks at the clock so often while no time passes never comes to an end. */
    private static final int MOST_LOOKS = 100_000;

    /** What runs while a caller waits. */
    public final Deque<Runnable> tasks = new ArrayDeque<>();

    /** What runs when its time has come. */
    public final Queue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));

    /** What the executor throws instead of taking work. */
    @Nullable
    public RuntimeException refusal;

    /** What the clock throws instead of taking a timer. */
    @Nullable
    public Error noTimer;

    /** How many times somebody was told that there is news. */
    public int news;

    /** How many times somebody who may have parked was let go on. */
    public int woken;

    private final List<ReentrantLock> locks = new ArrayList<>();
    private long now = TimeUnit.DAYS.toNanos(-1);
    private long lookedAt;
    private int looks;

    /** A step, and when it is due. */
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

    /** Whether the thread holds a lock, as it must not where a store, a listener or a caller's code is called. */
    public boolean locked() {
        return locks.stream().anyMatch(ReentrantLock::isLocked);
    }

    /** Runs the task that was handed in first. */
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

    /** Another has its turn; if there is none, time passes. */
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

    /** A condition that is waited for by letting others have their turn. */
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
            real.signalAll(); // throws where the lock is not held
            signals++;
            news++;
        }

        @Override
        public void signal() {
            signalAll();
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException("nobody waits without end");
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException("nobody waits without end");
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
            throw new UnsupportedOperationException("it is waited for in nanoseconds");
        }

        @Override
        public boolean awaitUntil(java.util.Date deadline) {
            throw new UnsupportedOperationException("this time has no dates");
        }
    }
}
