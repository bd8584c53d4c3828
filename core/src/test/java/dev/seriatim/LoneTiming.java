// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The time of one thread, and its executor: tasks run when the test says so, or while the thread waits for news, one after another;
 * with none left, waiting passes the time. So a test says to the nanosecond what happens when. Chance takes the highest there is.
 */
final class LoneTiming implements Timing, Executor {

    private record Timer(long due, Runnable step) {}

    /** What runs while a caller waits. */
    final Deque<Runnable> tasks = new ArrayDeque<>();

    /** What the executor throws instead of taking work. */
    @Nullable
    RuntimeException refusal;

    /** What the clock throws instead of taking a step. */
    @Nullable
    RuntimeException clockless;

    /** How many times somebody was told that there is news. */
    int news;

    /** How many times somebody who may have parked was let go on. */
    int woken;

    private final List<Timer> timers = new ArrayList<>();
    private final List<ReentrantLock> locks = new ArrayList<>();

    private long now = TimeUnit.DAYS.toNanos(-1);

    /** What is due meanwhile happens when it is. */
    void pass(long nanos) {
        long until = now + nanos;
        while (nextTimer() <= until) {
            Timer timer = Collections.min(timers, Comparator.comparingLong(Timer::due));
            timers.remove(timer);
            now = Math.max(now, timer.due);
            timer.step.run();
        }
        now = Math.max(now, until);
    }

    void passMillis(long millis) {
        pass(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Whether the thread holds a lock, as it must not where a store, a listener or a caller's code is called. */
    boolean locked() {
        return locks.stream().anyMatch(ReentrantLock::isLocked);
    }

    /** Runs the task that was handed in first. */
    void run() {
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
        if (clockless != null) {
            throw clockless;
        }
        timers.add(new Timer(now + nanos, step));
    }

    @Override
    public <R> R await(CompletableFuture<R> future, long nanos) {
        throw new UnsupportedOperationException("no futures here");
    }

    @Override
    public <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos) {
        throw new UnsupportedOperationException("no futures here");
    }

    @Override
    public long jitter(long bound) {
        return bound - 1;
    }

    private long nextTimer() {
        return timers.stream().mapToLong(Timer::due).min().orElse(Long.MAX_VALUE);
    }

    /** Another has its turn; if there is none, time passes, until something is due. */
    private long step(long nanos) {
        long began = now;
        if (tasks.isEmpty()) {
            pass(Math.max(0, Math.min(now + nanos, nextTimer()) - now));
        } else {
            run();
        }
        return nanos - (now - began);
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

        News(ReentrantLock lock, Condition real) {
            this.lock = lock;
            this.real = real;
        }

        @Override
        public long awaitNanos(long nanos) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            lock.unlock();
            try {
                return step(nanos);
            } finally {
                lock.lock();
            }
        }

        @Override
        public void signalAll() {
            real.signalAll(); // throws where the lock is not held
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
