// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Counts what keeps committed values from being exactly {@code start … counter}: values missing between the two, and
 * values outside them. Values whose commit is unsure may be there or not.
 */
final class GapCheck {

    private GapCheck() {}

    /**
     * Counts missing and stray values.
     *
     * @param start the first value that could be dealt
     * @param next the value that the counter would deal next
     */
    static long count(long[] committed, long[] unsure, long start, long next) {
        long stray = Arrays.stream(committed)
                .distinct()
                .filter(v -> v < start || v >= next)
                .count();
        long covered = LongStream.concat(Arrays.stream(committed), Arrays.stream(unsure))
                .filter(v -> v >= start && v < next)
                .distinct()
                .count();
        return (next - start) - covered + stray;
    }
}
