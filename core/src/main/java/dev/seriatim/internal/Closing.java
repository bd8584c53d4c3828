// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Closes several resources. */
public final class Closing {

    private static final int THREADS = 16;

    /** How long this thread waits for the listeners of others after its own last wait. */
    private static final long LISTENERS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Closing() {}

    /**
     * Closes all resources even if some fail, up to {@value #THREADS} at a time, so that resources that wait for a store
     * wait together. An interrupt of this thread interrupts them all. Throws like {@link #each}.
     *
     * @param atMost maximum wait of a resource. This thread waits as long for the others, and a second for their listeners, but no
     *     longer: a listener may need a lock that this thread holds
     */
    public static void together(List<? extends AutoCloseable> left, Duration atMost, ThreadFactory threads) {
        Queue<AutoCloseable> queue = new ConcurrentLinkedQueue<>(left);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        AtomicLong lastBegan = new AtomicLong();
        Runnable closing = () -> {
            for (AutoCloseable next = queue.poll(); next != null; next = queue.poll()) {
                lastBegan.set(System.nanoTime());
                close(next, failures);
            }
        };
        List<Thread> others = new ArrayList<>();
        try {
            while (others.size() < Math.min(left.size(), THREADS) - 1) {
                Thread other = threads.newThread(closing);
                other.setName("seriatim-close-" + others.size());
                other.setDaemon(true);
                other.start();
                others.add(other);
            }
        } catch (OutOfMemoryError noThread) {
            // fewer threads suffice
        }
        closing.run();
        long now = System.nanoTime();
        join(others, now + Math.max(LISTENERS_NANOS, lastBegan.get() - now + atMost.toNanos()));
        rethrow(failures);
    }

    private static void join(List<Thread> others, long deadline) {
        boolean interrupted = false;
        for (Thread other : others) {
            long left = deadline - System.nanoTime();
            while (left > 0 && other.isAlive()) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(other, left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    others.forEach(Thread::interrupt);
                }
                left = deadline - System.nanoTime();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes all resources even if some fail. Throws the first failure, with the others suppressed. */
    public static void each(List<? extends AutoCloseable> left) {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        left.forEach(each -> close(each, failures));
        rethrow(failures);
    }

    private static void close(AutoCloseable each, Queue<Throwable> failures) {
        try {
            each.close();
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private static void rethrow(Queue<Throwable> failures) {
        Throwable first = failures.poll();
        if (first == null) {
            return;
        }
        failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw first instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(first);
    }
}
