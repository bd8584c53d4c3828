// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.io.Serializable;
import java.util.List;
import java.util.function.Function;

/**
 * All numbers that a run drew, including its warm-up. Never modified.
 *
 * @param began the start of each draw, by {@link System#nanoTime}; empty if the order is not checked
 * @param returned the return of each draw; empty if the order is not checked
 * @param unsure numbers whose commit is uncertain
 * @param unseen rows whose numbers the database did not return
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DrawnNumbers(long[] values, long[] began, long[] returned, long[] unsure, long unseen)
        implements Serializable {

    static DrawnNumbers joined(List<DrawnNumbers> all) {
        return new DrawnNumbers(
                joined(all, DrawnNumbers::values),
                joined(all, DrawnNumbers::began),
                joined(all, DrawnNumbers::returned),
                joined(all, DrawnNumbers::unsure),
                all.stream().mapToLong(DrawnNumbers::unseen).sum());
    }

    private static long[] joined(List<DrawnNumbers> all, Function<DrawnNumbers, long[]> part) {
        int size = all.stream().mapToInt(draws -> part.apply(draws).length).reduce(0, Math::addExact);
        long[] joined = new long[size];
        int at = 0;
        for (DrawnNumbers draws : all) {
            long[] numbers = part.apply(draws);
            System.arraycopy(numbers, 0, joined, at, numbers.length);
            at += numbers.length;
        }
        return joined;
    }
}
