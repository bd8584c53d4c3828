// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import java.util.HashMap;
import java.util.Map;

/** Crude signs that numbers still tell their order: too many or too few of them rise, or a step from one to the next recurs. */
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

    /** For a range that is much larger than the square of how many numbers there are. Rises: half, ± 6 standard deviations. */
    boolean found() {
        return Math.abs(rises - steps / 2.0) > 6 * Math.sqrt((steps + 2) / 12.0) || commonestStep > 4;
    }
}
