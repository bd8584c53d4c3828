// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts order violations: draws whose value is not above the values of all draws that returned before they began.
 *
 * <ol>
 *   <li>Go through the draws in the order of their start, and in parallel in the order of their return.
 *   <li>For each, find the highest value of those that returned before it began.
 *   <li>If its value is not above that, it is a violation.
 * </ol>
 */
final class OrderCheck {

    private OrderCheck() {}

    private record Drawn(long value, long began, long returned) {}

    static long count(long[] values, long[] began, long[] returned) {
        List<Drawn> draws = IntStream.range(0, values.length)
                .mapToObj(i -> new Drawn(values[i], began[i], returned[i]))
                .sorted(Comparator.comparingLong(Drawn::began))
                .toList();
        List<Drawn> byReturn =
                draws.stream().sorted(Comparator.comparingLong(Drawn::returned)).toList();
        long violations = 0;
        long highest = Long.MIN_VALUE;
        int taken = 0;
        for (Drawn draw : draws) {
            while (byReturn.get(taken).returned() < draw.began()) {
                highest = Math.max(highest, byReturn.get(taken).value());
                taken++;
            }
            if (taken > 0 && draw.value() <= highest) {
                violations++;
            }
        }
        return violations;
    }
}
