// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.engine.line.Stock;
import dev.seriatim.engine.line.WaitingLine;
import org.jspecify.annotations.Nullable;

/** A short run of values that belongs to one caller, who deals from it without an atomic step. Not thread-safe. */
final class Run {

    /** The longest run. */
    static final long LENGTH = 64;

    /** A sequence's only thread takes no more than this part of a block at a time, so that its mark keeps its meaning. */
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

    /** The next value; only while there are some left. */
    long next() {
        left--;
        long next = value;
        value = next + increment; // behind the last value this may wrap, and is not used
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

    /** Deals {@code taken} values of a block from {@code place} on, whose cursor was moved by {@code length}. */
    void deal(Span span, long place, long length, long taken) {
        deal(span.at(place), span.increment, taken);
        source = span;
        cursor = place + length;
        behind = place + taken;
    }

    /**
     * Puts what is left back into its block, if that is the current one and no other thread has drawn from it since; otherwise
     * returns it. Under the line's lock, which keeps the current block current.
     */
    Stock.@Nullable Held takeBack(Span current) {
        if (left == 0) {
            return null;
        }
        Stock.Held rest = new Stock.Held(rest(), source == null ? 0 : source.epoch);
        boolean back = source == current && current.stepBack(cursor, behind - left);
        left = 0;
        return back ? null : rest;
    }

    /**
     * Whether its owner is outside of every draw, so that what is left is what is seen here, and stays so once the run has
     * been ended. Looking at a thread's stack brings it to a safepoint, behind which all it has written is seen: a barrier
     * that costs the owner's draws nothing.
     */
    boolean resting() {
        if (owner == null || owner == Thread.currentThread() || !owner.isAlive()) {
            return true;
        }
        for (StackTraceElement frame : owner.getStackTrace()) {
            if (frame.getClassName().equals(WaitingLine.class.getName())
                    && frame.getMethodName().equals("await")) {
                return true; // only a run that is used up leads there
            }
            if (frame.getClassName().equals(BlockSequence.class.getName())) {
                return false;
            }
        }
        return true;
    }
}
