// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * For stores: the pauses between attempts at something that others are in the way of, each twice as long as the one before, up
 * to a longest, and all of them up to a deadline.
 *
 * <p>Not thread-safe: one per operation.
 */
public final class Pauses {

    private static final long FIRST_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final long deadline;
    private final long longest;
    private long next = FIRST_NANOS;

    /**
     * Pauses of an operation that begins now.
     *
     * @param deadline on the clock of {@link System#nanoTime()}
     * @param longest the longest of them
     */
    public Pauses(long deadline, Duration longest) {
        this.deadline = deadline;
        this.longest = longest.toNanos();
    }

    /**
     * Waits before another attempt; returns false at once when the deadline leaves no time for one.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public boolean pause() throws InterruptedException {
        return pause(jittered());
    }

    /**
     * As {@link #pause()}, for calls that are cut off at the deadline, and whose effect is unknown then: returns false where the
     * next attempt would begin with less time than it needs, at once if that is known before the pause.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public boolean pauseLeaving(Duration needed) throws InterruptedException {
        long nanos = jittered();
        long latest = deadline - needed.toNanos();
        return latest - System.nanoTime() >= nanos && pause(nanos) && latest - System.nanoTime() >= 0;
    }

    /**
     * As {@link #pause()}, for so long as the server has asked for.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public boolean pause(Duration asked) throws InterruptedException {
        return pause(asked.toNanos());
    }

    private long jittered() { // those who collided must not meet again at the same moment
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
