// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;

/**
 * The result of one statement that drew from a native sequence.
 *
 * @param definition the definition of the sequence at that time
 * @param block the longest contiguous part of what was drawn; the rest is lost
 * @param total how many values were drawn
 */
public record DrawnValues(SequenceDefinition definition, Block block, long total) {

    /** Returns whether this includes the last value, or the last before a cycle restarts. */
    boolean reachesTheEnd() {
        return definition.endsAt(block.last());
    }

    /** Returns whether the values drawn later directly follow these. */
    boolean continuedBy(DrawnValues later) {
        return later.block.increment() == block.increment() && later.block.first() - block.increment() == block.last();
    }

    DrawnValues and(DrawnValues later) {
        long count = block.count() + later.block.count();
        return new DrawnValues(
                later.definition, new Block(block.first(), count, block.increment()), total + later.total);
    }
}
