// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import java.util.Arrays;

/** Counts duplicates: draws of a value beyond the first draw of it. */
final class DuplicateCheck {

    private DuplicateCheck() {}

    static long count(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        long duplicates = 0;
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                duplicates++;
            }
        }
        return duplicates;
    }
}
