// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** The delay of refills, for all data sources of a run. Initially off. Thread-safe. */
final class RefillDelay {

    private final Duration length;
    private final LongAdder delayed = new LongAdder();
    private volatile boolean on;

    RefillDelay(Duration length) {
        this.length = length;
    }

    Duration length() {
        return length;
    }

    boolean isPossible() {
        return !length.isZero();
    }

    void set(boolean on) {
        this.on = on;
    }

    /** Returns the number of delayed refills. */
    long delayed() {
        return delayed.sum();
    }

    /** Waits if the delay is on. An interrupt does not shorten the wait. */
    void await() {
        if (!on) {
            return;
        }
        delayed.increment();
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
