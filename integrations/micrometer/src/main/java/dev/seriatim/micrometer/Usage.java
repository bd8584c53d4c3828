// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.SequenceState;
import io.micrometer.core.instrument.Clock;
import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The position and the rate of a sequence's counter, as this process's own reservations show them. Between two of them,
 * the counter also moves by the reservations of other processes. Thread-safe.
 *
 * <p>The rate is an average in which a moment counts by its age, with the factor exp(-age / {@link #MEMORY}).
 */
final class Usage {

    /** In seconds. */
    private static final double MEMORY = 600;

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;

    private @Nullable SequenceState state;
    private long seenAt;

    /**
     * The distance that the counter has moved, and the time in seconds, both weighted by age as of the last
     * reservation.
     */
    private double moved;

    private double seconds;

    Usage(Clock clock) {
        this.clock = clock;
    }

    synchronized boolean known() {
        return state != null;
    }

    /** Returns whether the counter's position is known by this reservation for the first time. */
    synchronized boolean reserved(Block block, Duration took, SequenceDefinition definition) {
        if (!within(block.last(), definition)) {
            return false; // a store that distributes its numbers: they show no progress
        }
        boolean first = state == null;
        reservedAt(clock.monotonicTime(), after(block, definition), took);
        return first;
    }

    private void reservedAt(long now, SequenceState after, Duration took) {
        SequenceState before = state;
        if (before != null
                && after.definition().ascending() == before.definition().ascending()) {
            double steps = steps(before, after);
            if (steps >= 0) {
                passed(now, steps);
            } else if (seenAt - now + took.toNanos() >= 0) {
                return; // it overlapped with a later one, which was reported first
            } else {
                startOver(); // a cycle, or an operator's restart
            }
        } else {
            startOver();
        }
        state = after;
        seenAt = now;
    }

    private void startOver() {
        moved = 0;
        seconds = 0;
    }

    private void passed(long now, double steps) {
        double elapsed = Math.max(1, now - seenAt) / NANOS;
        double kept = Math.exp(-elapsed / MEMORY);
        double weight = -Math.expm1(-elapsed / MEMORY) * MEMORY;
        moved = moved * kept + steps / elapsed * weight;
        seconds = seconds * kept + weight;
    }

    /** The next reservation deals these values again. */
    synchronized void givenBack(Block values) {
        if (state != null && within(values.first(), state.definition())) {
            state = new SequenceState(state.definition(), values.first(), false, 0);
        }
    }

    /** Returns the fraction of the range that is reserved. */
    synchronized double ratio() {
        return state == null ? Double.NaN : state.usedRatio();
    }

    /** Returns the seconds until the last value is reserved: NaN if no rate is known, infinite if never. */
    synchronized double secondsLeft() {
        if (state == null || state.definition().cycle()) {
            return state == null ? Double.NaN : Double.POSITIVE_INFINITY;
        }
        double left = state.valuesLeft().doubleValue();
        if (left == 0) {
            return 0;
        }
        double idle = Math.max(0, clock.monotonicTime() - seenAt) / NANOS;
        double kept = Math.exp(-idle / MEMORY);
        double rate = moved * kept / (seconds * kept - Math.expm1(-idle / MEMORY) * MEMORY);
        return seconds == 0 ? Double.NaN : left / rate;
    }

    private static double steps(SequenceState before, SequenceState after) {
        return dealt(after)
                .subtract(dealt(before))
                .divide(BigInteger.valueOf(after.definition().increment()))
                .doubleValue();
    }

    /** The value dealt last, or the one before the first. */
    private static BigInteger dealt(SequenceState state) {
        BigInteger next = BigInteger.valueOf(state.nextValue());
        return state.usedUp()
                ? next
                : next.subtract(BigInteger.valueOf(state.definition().increment()));
    }

    private static SequenceState after(Block block, SequenceDefinition definition) {
        return definition.endsAt(block.last())
                ? new SequenceState(definition, block.last(), true, 0)
                : new SequenceState(definition, block.last() + definition.increment(), false, 0);
    }

    private static boolean within(long value, SequenceDefinition definition) {
        return definition.min() <= value && value <= definition.max();
    }
}
