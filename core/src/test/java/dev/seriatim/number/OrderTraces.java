// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import java.util.HashMap;
import java.util.Map;

/**
 * Simple signs that numbers still reveal their order: too many or too few rise, or one step between neighbours recurs.
 */
record OrderTraces(int rises, int commonestStep, int steps) {

    static OrderTraces of(long[] numbers) {
        Map<Long, Integer> steps = new HashMap<>();
        int rises = 0;
        for (int i = 1; i < numbers.length; i++) {
            rises += numbers[i] > numbers[i - 1] ? 1 : 0;
            steps.merge(numbers[i] - numbers[i - 1], 1, Integer::sum);
        }
        int commonest =
                steps.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return new OrderTraces(rises, commonest, numbers.length - 1);
    }

    /** For a range much larger than the square of the number of values. Rises: half, ± 6 standard deviations. */
    boolean found() {
        return Math.abs(rises - steps / 2.0) > 6 * Math.sqrt((steps + 2) / 12.0) || commonestStep > 4;
    }
}
