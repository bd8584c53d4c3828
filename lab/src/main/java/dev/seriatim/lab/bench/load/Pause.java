// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a point in time, to about 0.02 ms, without taking processor time that the work under test needs.
 * Thread-safe.
 *
 * <p>A parked thread is woken late by the slack of the system's timer, 50 µs on Linux. So the park ends that much
 * earlier, and what is then left, mostly nothing, is yielded away. Spinning for the last 100 µs was tried: more precise
 * while threads are few, but eight of them on two cores starve each other, and late arrivals went from 0.05 to 6 ms.
 */
public final class Pause {

    private static final long TIMER_SLACK_NANOS = 50_000;
    private static final long NOT_WORTH_A_PARK_NANOS = TIMER_SLACK_NANOS + 5_000;
    private static final long LONGEST_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final StopSignal stop;

    public Pause(StopSignal stop) {
        this.stop = stop;
    }

    /** Returns at the given time of {@link System#nanoTime}, true; or earlier, false, when asked to stop. */
    @SuppressWarnings("ThreadPriorityCheck") // of the ways tried, yielding was the one that disturbed others least
    public boolean until(long deadline) {
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            if (stop.isSet()) {
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
