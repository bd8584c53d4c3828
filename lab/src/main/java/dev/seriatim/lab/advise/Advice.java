// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.advise;

import dev.seriatim.cli.draw.DrawMode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What to choose for a load.
 *
 * @param mode the mode
 * @param reachable whether it reaches the rate
 * @param why the reason, and what to watch
 * @param blocks how they are shaped; null in a mode without blocks
 * @param valuesPerSecond what to expect: the rate, or what the mode reaches of it
 * @param reservationsPerSecond transactions per second on the sequence's row
 * @param lostInCrash values that a crash of the instance loses at most
 */
record Advice(
        DrawMode mode,
        boolean reachable,
        String why,
        @Nullable Blocks blocks,
        BigDecimal valuesPerSecond,
        BigDecimal reservationsPerSecond,
        long lostInCrash) {

    /**
     * The shape of blocks.
     *
     * @param size values per block
     * @param lowWaterMark values left at which the next one is fetched
     */
    record Blocks(long size, long lowWaterMark) {}

    static Advice withoutBlocks(
            DrawMode mode,
            boolean reachable,
            String why,
            BigDecimal valuesPerSecond,
            BigDecimal reservationsPerSecond,
            long lostInCrash) {
        return new Advice(mode, reachable, why, null, valuesPerSecond, reservationsPerSecond, lostInCrash);
    }
}
