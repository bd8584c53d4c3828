// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;

/**
 * What a statement has drawn from a native sequence.
 *
 * @param definition the sequence, as it stood
 * @param block the longest piece of what was drawn; the rest is lost
 * @param total how many values were drawn
 */
public record DrawnValues(SequenceDefinition definition, Block block, long total) {

    /** Whether the last value before the end, or before a cycle's next round, is in it. */
    boolean reachesTheEnd() {
        return definition.endsAt(block.last());
    }

    /** Whether what was drawn later goes on where this ends. */
    boolean continuedBy(DrawnValues later) {
        return later.block.increment() == block.increment() && later.block.first() - block.increment() == block.last();
    }

    /** Both in one piece. */
    DrawnValues and(DrawnValues later) {
        long count = block.count() + later.block.count();
        return new DrawnValues(
                later.definition, new Block(block.first(), count, block.increment()), total + later.total);
    }
}
