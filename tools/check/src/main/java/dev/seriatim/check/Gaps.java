// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.List;

/**
 * What a {@link GapCheck} found. Every count is of different numbers, except {@code repeated}.
 *
 * @param missing numbers from the start to the counter that are neither committed nor laid out
 * @param stray numbers that are committed or laid out, and are outside start and counter
 * @param lost numbers that were acknowledged and are not committed
 * @param unexpected numbers that are committed, and were neither acknowledged nor unsure; 0 unless this was asked for
 * @param inBoth numbers that are committed and laid out
 * @param repeated commits of a number beyond the first
 * @param examples the first few of all these in words
 */
public record Gaps(
        long missing, long stray, long lost, long unexpected, long inBoth, long repeated, List<String> examples) {

    /** Returns the number of all these. */
    public long count() {
        return missing + stray + lost + unexpected + inBoth + repeated;
    }
}
