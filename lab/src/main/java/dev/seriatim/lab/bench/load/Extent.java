// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How much is done: so many iterations, or for so long, whichever ends first. Immutable.
 *
 * @param iterations at most so many
 * @param time at most for so long; zero when only the iterations count
 */
public record Extent(long iterations, Duration time) {

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    static Extent of(long iterations) {
        return new Extent(iterations, Duration.ZERO);
    }

    /** As long as the time lasts; iterations are bounded, since each number is kept until it has been checked. */
    public static Extent lasting(Duration time, long atMost) {
        return new Extent(atMost, time);
    }

    public boolean isTimed() {
        return !time.isZero();
    }

    /** When it ends, if it begins at a time of {@link System#nanoTime}. */
    long deadline(long begun) {
        return isTimed() ? begun + time.toNanos() : begun + Long.MAX_VALUE / 2;
    }

    /** About how long it takes, in seconds, when so many iterations per second are possible at best. */
    double estimateSeconds(double perSecond) {
        double counted = iterations / perSecond;
        boolean unknown = Double.isInfinite(perSecond);
        return !isTimed() ? counted : unknown ? time.toNanos() / SECOND : Math.min(counted, time.toNanos() / SECOND);
    }
}
