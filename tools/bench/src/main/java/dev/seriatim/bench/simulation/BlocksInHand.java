// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.engine.sizing.Sizing;
import java.util.ArrayDeque;

/** The blocks of an instance: the current one and those after it. */
final class BlocksInHand {

    private record Block(long first, long count) {}

    private final Sizing sizing;
    private final ArrayDeque<Block> ahead = new ArrayDeque<>();
    private Block current = new Block(0, 0);
    private long place;
    private long trigger;
    private long aheadValues;
    private long stocked;

    BlocksInHand(Sizing sizing) {
        this.sizing = sizing;
    }

    long remaining() {
        return current.count - place;
    }

    /** Returns the values left in all blocks. */
    long inHand() {
        return remaining() + aheadValues;
    }

    /** Returns the number of draws until one fetches the next block; 0 if none from this block does. */
    long drawsToTrigger() {
        return place <= trigger && trigger < current.count ? trigger - place + 1 : 0;
    }

    long dealt() {
        return stocked - inHand();
    }

    /** Returns the last value dealt from the current block. */
    long last() {
        return current.first + place - 1;
    }

    /** Returns the value of a future draw; {@link Long#MAX_VALUE} if it is not reserved. */
    long value(long draws) {
        if (draws < remaining()) {
            return current.first + place + draws;
        }
        Block behind = ahead.peek();
        return behind == null ? Long.MAX_VALUE : behind.first;
    }

    void add(long first, long count) {
        boolean empty = inHand() == 0;
        stocked += count;
        if (empty) {
            begin(new Block(first, count));
        } else {
            ahead.add(new Block(first, count));
            aheadValues += count;
        }
    }

    void deal(long count) {
        place += count;
    }

    /** Moves to the next block, if there is one. */
    void beginNext() {
        Block next = ahead.poll();
        if (next != null) {
            aheadValues -= next.count;
            begin(next);
        }
    }

    private void begin(Block block) {
        long mark = sizing.lowWaterMark();
        current = block;
        place = 0;
        trigger = mark <= aheadValues ? block.count : Math.max(0, block.count - (mark - aheadValues));
    }
}
