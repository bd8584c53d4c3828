// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * For stores: the pauses between attempts that conflict with others. Each pause is twice as long as the last, up to a
 * maximum; all end before a deadline. Not thread-safe: use one instance per operation.
 */
public final class Pauses {

    private static final long FIRST_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final long deadline;
    private final long longest;
    private long next = FIRST_NANOS;

    /** Creates the pauses of an operation; the deadline is on the clock of {@link System#nanoTime()}. */
    public Pauses(long deadline, Duration longest) {
        this.deadline = deadline;
        this.longest = longest.toNanos();
    }

    /** Waits before another attempt; returns false immediately if the deadline has passed. */
    public boolean pause() throws InterruptedException {
        return pause(jittered());
    }

    /**
     * Like {@link #pause()}, for calls that are cut off at the deadline and then have an unknown effect. Returns false,
     * as early as this is known, if the next attempt would start with less time than it needs.
     */
    public boolean pauseLeaving(Duration needed) throws InterruptedException {
        long nanos = jittered();
        long latest = deadline - needed.toNanos();
        return latest - System.nanoTime() >= nanos && pause(nanos) && latest - System.nanoTime() >= 0;
    }

    /** Like {@link #pause()}, for as long as the server has requested. */
    public boolean pause(Duration asked) throws InterruptedException {
        return pause(asked.toNanos());
    }

    private long jittered() { // so that callers that collided do not meet again at the same moment
        return ThreadLocalRandom.current().nextLong(next / 2, next + next / 2);
    }

    private boolean pause(long nanos) throws InterruptedException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            return false;
        }
        TimeUnit.NANOSECONDS.sleep(Math.min(nanos, left));
        next = Math.min(next * 2, longest);
        return true;
    }
}
