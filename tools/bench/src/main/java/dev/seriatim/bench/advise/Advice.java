// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.cli.draw.DrawMode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The mode that suits a load. Immutable.
 *
 * @param mode the mode, which reaches the rate
 * @param why the reason, and what to watch
 * @param alternative another mode, when it is the better choice, and what it costs; null if there is none
 * @param blocks the shape of blocks; null for a mode without them
 * @param valuesPerSecond the expected values per second of each instance
 * @param reservationsPerSecond transactions per second on the sequence's row
 * @param lostInCrash maximum values that a crash of one instance loses
 */
record Advice(
        DrawMode mode,
        String why,
        @Nullable String alternative,
        @Nullable Blocks blocks,
        BigDecimal valuesPerSecond,
        BigDecimal reservationsPerSecond,
        long lostInCrash) {

    /**
     * The shape of blocks.
     *
     * @param size values per block
     * @param lowWaterMark values left at which the next block is fetched
     */
    record Blocks(long size, long lowWaterMark) {}

    static Advice withoutBlocks(
            DrawMode mode,
            String why,
            @Nullable String alternative,
            BigDecimal valuesPerSecond,
            BigDecimal reservationsPerSecond,
            long lostInCrash) {
        return new Advice(mode, why, alternative, null, valuesPerSecond, reservationsPerSecond, lostInCrash);
    }
}
