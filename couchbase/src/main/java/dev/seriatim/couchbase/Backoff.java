// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Pauses between attempts: each twice as long as the one before, up to a longest, and all of them up to a deadline.
 *
 * <p>Not thread-safe: one per operation.
 */
final class Backoff {

    private static final long FIRST_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Deadline deadline;
    private long next = FIRST_NANOS;

    Backoff(Deadline deadline) {
        this.deadline = deadline;
    }

    /** Waits before another attempt; returns false at once when the deadline leaves no time for one. */
    boolean pause() throws InterruptedException {
        long left = deadline.nanos() - System.nanoTime();
        if (left <= 0) {
            return false;
        }
        // Jitter: those who collided must not meet again at the same moment.
        long nanos = ThreadLocalRandom.current().nextLong(next / 2, next + next / 2);
        TimeUnit.NANOSECONDS.sleep(Math.min(nanos, left));
        next = Math.min(next * 2, LONGEST_NANOS);
        return true;
    }
}
