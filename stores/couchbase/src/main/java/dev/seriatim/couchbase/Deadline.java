// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import java.time.Duration;

/** The time by which an operation must end, on the clock of {@link System#nanoTime()}. Immutable. */
record Deadline(long nanos) {

    // The server counts in milliseconds, and rejects zero.
    private static final Duration LEAST = Duration.ofMillis(1);

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** Returns the time left for one call, at least a millisecond. */
    Duration left() {
        Duration left = Duration.ofNanos(nanos - System.nanoTime());
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }

    boolean isOver() {
        return System.nanoTime() - nanos >= 0;
    }
}
