// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The fields that all draws read. Only the trigger changes after publication, when a remainder becomes the current block again;
 * a racing reader sees the old or the new value, and both are at most {@code count}.
 */
abstract class SpanBounds {
    final Block block;
    final long epoch;
    final long first;
    final long increment;
    final long count;
    /** The place at which the next block is fetched, or {@code count} for never. */
    long trigger;

    SpanBounds(Block block, long epoch) {
        this.block = block;
        this.epoch = epoch;
        this.first = block.first();
        this.increment = block.increment();
        this.count = block.count();
        this.trigger = count;
    }
}

/** Keeps the cursor off the cache line of the bounds. Sharing it cost a third at two threads. */
@SuppressWarnings("unused")
abstract class SpanBoundsPadding extends SpanBounds {
    private long unused01, unused02, unused03, unused04, unused05, unused06, unused07, unused08;

    SpanBoundsPadding(Block block, long epoch) {
        super(block, epoch);
    }
}

/** The field that every draw writes. */
abstract class SpanCursor extends SpanBoundsPadding {
    @SuppressWarnings("UnusedVariable") // accessed through the handle
    volatile long cursor;

    SpanCursor(Block block, long epoch) {
        super(block, epoch);
    }
}

/**
 * A block being dealt: one atomic addition per draw. Thread-safe once published.
 *
 * <p>The cursor counts places, not values, so it cannot overflow: draws beyond the end only increment it.
 */
@SuppressWarnings("unused")
final class Span extends SpanCursor {

    private static final VarHandle CURSOR;

    static {
        try {
            CURSOR = MethodHandles.lookup().findVarHandle(SpanCursor.class, "cursor", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long unused11, unused12, unused13, unused14, unused15, unused16, unused17, unused18;

    Span(Block block, long epoch) {
        super(block, epoch);
    }

    /** Returns a place that belongs to the caller. Below {@code count}, its value is {@link #at}. */
    long step() {
        return (long) CURSOR.getAndAdd((SpanCursor) this, 1L);
    }

    /** Like {@link #step}, for {@code places} in a row. Places from {@code count} on have no value. */
    long step(long places) {
        return (long) CURSOR.getAndAdd((SpanCursor) this, places);
    }

    long at(long place) {
        return first + place * increment;
    }

    /** Returns the first of {@code places} in a row for the caller; or -1, and takes nothing, if fewer are left. */
    long stepExactly(long places) {
        while (true) {
            long here = (long) CURSOR.getVolatile((SpanCursor) this);
            if (here >= count || count - here < places) {
                return -1;
            }
            if (CURSOR.compareAndSet((SpanCursor) this, here, here + places)) {
                return here;
            }
        }
    }

    /** Moves the cursor back if it still stands at {@code from}. */
    boolean stepBack(long from, long to) {
        return CURSOR.compareAndSet((SpanCursor) this, from, to);
    }

    /** Whether the store dealt this block first: within an epoch, values go in one direction. */
    boolean dealtBefore(Span other) {
        return epoch == other.epoch ? (increment > 0) == (first < other.first) : epoch < other.epoch;
    }

    /** Whether {@code next} begins where this block ends, and nothing of it was dealt. */
    boolean continuedBy(Span next) {
        return next.remaining() == next.count
                && next.epoch == epoch
                && next.increment == increment
                && next.first - increment == block.last();
    }

    long remaining() {
        return Math.max(0, count - (long) CURSOR.getVolatile((SpanCursor) this));
    }

    @Nullable
    Block takeRest() {
        long here = (long) CURSOR.getAndAdd((SpanCursor) this, count);
        return here < count ? block.tail(here) : null;
    }
}
