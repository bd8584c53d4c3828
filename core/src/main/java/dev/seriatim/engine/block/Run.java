// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.engine.line.Stock;
import dev.seriatim.engine.line.WaitingLine;
import org.jspecify.annotations.Nullable;

/** A short run of values that belongs to one caller, which deals from it without an atomic step. Not thread-safe. */
final class Run {

    static final long LENGTH = 64;

    /** A run takes at most a sixteenth of a block, so that the block's low-water mark keeps its meaning. */
    static final long SHARE = 16;

    final @Nullable Thread owner;

    long left;
    private long value;
    private long increment = 1;
    private @Nullable Span source;
    private long cursor;
    private long behind;

    Run(@Nullable Thread owner) {
        this.owner = owner;
    }

    /** Returns the next value. Requires that some are left. */
    long next() {
        left--;
        long next = value;
        value = next + increment; // may overflow after the last value, and is then not used
        return next;
    }

    Block next(int count) {
        Block block = new Block(value, count, increment);
        left -= count;
        value += count * increment;
        return block;
    }

    Block rest() {
        return new Block(value, left, increment);
    }

    void deal(long first, long step, long count) {
        value = first;
        increment = step;
        left = count;
        source = null;
    }

    /** Deals {@code taken} values of a block from {@code place}; the block's cursor was moved by {@code length}. */
    void deal(Span span, long place, long length, long taken) {
        deal(span.at(place), span.increment, taken);
        source = span;
        cursor = place + length;
        behind = place + taken;
    }

    /** Puts the rest back into its block if no thread has drawn from it since; otherwise returns the rest. Under the line's lock. */
    Stock.@Nullable Unused takeBack(Span current) {
        if (left == 0) {
            return null;
        }
        Stock.Unused rest = new Stock.Unused(rest(), source == null ? 0 : source.epoch);
        boolean back = source == current && current.stepBack(cursor, behind - left);
        left = 0;
        return back ? null : rest;
    }

    /**
     * Whether the owner is outside of every draw, so that this thread sees the true rest. Reading a thread's stack brings that
     * thread to a safepoint, after which its writes are visible: a barrier that costs the owner's draws nothing.
     */
    boolean resting() {
        if (owner == null || owner == Thread.currentThread() || !owner.isAlive()) {
            return true;
        }
        for (StackTraceElement frame : owner.getStackTrace()) {
            if (frame.getClassName().equals(WaitingLine.class.getName())
                    && frame.getMethodName().equals("await")) {
                return true; // a draw waits there only when its run is used up
            }
            if (frame.getClassName().equals(BlockSequence.class.getName())) {
                return false;
            }
        }
        return true;
    }
}
