// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A number of iterations, or a duration, whichever ends first. Immutable.
 *
 * @param iterations maximum iterations
 * @param time maximum duration; zero if there is none
 */
public record Extent(long iterations, Duration time) {

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    static Extent of(long iterations) {
        return new Extent(iterations, Duration.ZERO);
    }

    /** Returns a duration; iterations are bounded, since each number is kept until it is checked. */
    public static Extent lasting(Duration time, long atMost) {
        return new Extent(atMost, time);
    }

    public boolean isTimed() {
        return !time.isZero();
    }

    /** Returns the end for a start, both of {@link System#nanoTime}. */
    long deadline(long begun) {
        return isTimed() ? begun + time.toNanos() : begun + Long.MAX_VALUE / 2;
    }

    /** Returns the estimated seconds at a maximum of iterations per second. */
    double estimateSeconds(double perSecond) {
        double counted = iterations / perSecond;
        boolean unknown = Double.isInfinite(perSecond);
        return !isTimed() ? counted : unknown ? time.toNanos() / SECOND : Math.min(counted, time.toNanos() / SECOND);
    }
}
