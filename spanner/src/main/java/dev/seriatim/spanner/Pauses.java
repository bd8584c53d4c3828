// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Pauses between attempts at a transaction: as long as the server asks for, otherwise each twice as long as the one before,
 * and all of them up to a deadline. Not thread-safe: one per operation.
 */
final class Pauses {

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    private final long deadline;
    private long next = FIRST_NANOS;

    Pauses(Duration atMost) {
        deadline = System.nanoTime() + atMost.toNanos();
    }

    /** Waits before another attempt; returns false at once when the deadline leaves no time for one. */
    boolean pause(AbortedException abort) throws InterruptedException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            return false;
        }
        long asked = abort.getRetryDelayInMillis();
        // Jitter: those who collided must not meet again at the same moment.
        long nanos = asked >= 0
                ? TimeUnit.MILLISECONDS.toNanos(asked)
                : ThreadLocalRandom.current().nextLong(next / 2, next + next / 2);
        next = Math.min(next * 2, LONGEST_NANOS);
        TimeUnit.NANOSECONDS.sleep(Math.min(nanos, left));
        return true;
    }
}
