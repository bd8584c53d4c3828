// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts the draws that came too low: their value is not above that of every draw that had returned before they began.
 *
 * <ol>
 *   <li>Go through the draws by their beginning, and beside it through the same draws by their return.
 *   <li>Before each, take in all that returned before it began, and keep the highest value of those.
 *   <li>A draw whose value is not above that highest is a violation.
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
