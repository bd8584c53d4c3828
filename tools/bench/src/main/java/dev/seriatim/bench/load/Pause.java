// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a point in time, accurate to about 0.02 ms, without using processor time that the measured work needs.
 * Thread-safe.
 *
 * <p>A parked thread wakes late by the slack of the system's timer, 50 µs on Linux. So the park ends that much earlier, and the
 * rest, usually nothing, is spent yielding. Spinning for the last 100 µs is more accurate for a few threads, but eight of them
 * starve each other on two cores: late arrivals went from 0.05 to 6 ms.
 */
public final class Pause {

    private static final long TIMER_SLACK_NANOS = 50_000;
    private static final long NOT_WORTH_A_PARK_NANOS = TIMER_SLACK_NANOS + 5_000;
    private static final long LONGEST_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final AtomicBoolean stop;

    public Pause(AtomicBoolean stop) {
        this.stop = stop;
    }

    /** Returns true at the given time of {@link System#nanoTime}, or false earlier if the run is stopped. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding disturbed other threads least of all that was tried
    public boolean until(long deadline) {
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            if (stop.get()) {
                return false;
            }
            if (left > NOT_WORTH_A_PARK_NANOS) {
                LockSupport.parkNanos(Math.min(left - TIMER_SLACK_NANOS, LONGEST_PARK_NANOS));
            } else {
                Thread.yield();
            }
        }
        return true;
    }
}
