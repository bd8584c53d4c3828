// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** The row that the baselines reserve from: locked for its latency, like that of our in-memory store. Thread-safe. */
final class Counter {

    private final ReentrantLock row = new ReentrantLock(true);
    private final long latencyNanos;
    private long value;

    Counter(long latencyMillis) {
        latencyNanos = TimeUnit.MILLISECONDS.toNanos(latencyMillis);
    }

    long addAndGet(long step) {
        row.lock();
        try {
            long end = System.nanoTime() + latencyNanos;
            for (long left = latencyNanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            value += step;
            return value;
        } finally {
            row.unlock();
        }
    }
}
