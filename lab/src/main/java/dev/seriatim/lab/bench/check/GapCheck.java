// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Counts the values between {@code start} and the counter that are missing from the committed ones, and the committed values
 * outside that range. A value whose commit is uncertain may be present or absent.
 */
final class GapCheck {

    private GapCheck() {}

    /**
     * Counts missing and stray values.
     *
     * @param start the first value of the sequence
     * @param next the next value of the counter
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
