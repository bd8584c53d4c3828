// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import dev.seriatim.sizing.Sizing;
import java.util.ArrayDeque;

/** The blocks that an instance has in hand: one being dealt, and those behind it. */
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

    /** Values left in the block that is being dealt. */
    long remaining() {
        return current.count - place;
    }

    /** Values left in all. */
    long inHand() {
        return remaining() + aheadValues;
    }

    /** How many draws from here fetch the next block; 0 when none from this block does. */
    long drawsToTrigger() {
        return place <= trigger && trigger < current.count ? trigger - place + 1 : 0;
    }

    /** How many values have ever been dealt. */
    long dealt() {
        return stocked - inHand();
    }

    /** The value that was dealt last from the present block. */
    long last() {
        return current.first + place - 1;
    }

    /** The value that is dealt so many draws from now; {@link Long#MAX_VALUE} when it is not in hand. */
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

    /** Deals from the block that is being dealt. */
    void deal(long count) {
        place += count;
    }

    /** Deals from the next block; false when there is none. */
    boolean beginNext() {
        Block next = ahead.poll();
        if (next == null) {
            return false;
        }
        aheadValues -= next.count;
        begin(next);
        return true;
    }

    private void begin(Block block) {
        long mark = sizing.lowWaterMark();
        current = block;
        place = 0;
        trigger = mark <= aheadValues ? block.count : Math.max(0, block.count - (mark - aheadValues));
    }
}
