// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.check;

import dev.seriatim.lab.bench.contender.Contender;
import dev.seriatim.lab.bench.load.DrawnNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The result of checking the numbers of a run; empty where the mode promises nothing.
 *
 * @param duplicates see {@link DuplicateCheck}
 * @param orderViolations see {@link OrderCheck}
 * @param gaps see {@link GapCheck}
 * @param lostRows numbers whose row was reported as committed but is not in the table, if there is one
 */
public record SelfCheck(long duplicates, OptionalLong orderViolations, OptionalLong gaps, long lostRows) {

    /**
     * Checks numbers drawn in a mode from a sequence that started at {@code start} and whose next number is {@code next}.
     *
     * @param laidOut the numbers in the sequence's pool: together with the drawn ones they must have no gap, and none may be
     *     in both
     * @param rows the numbers in the committed rows of a table, which then must have no gap
     */
    public static SelfCheck of(
            Contender mode, DrawnNumbers draws, Optional<long[]> rows, long[] laidOut, long start, long next) {
        long[] committed = rows.orElse(draws.values);
        long[] unsure = rows.isPresent()
                ? laidOut
                : LongStream.concat(Arrays.stream(draws.unsure), Arrays.stream(laidOut))
                        .toArray();
        return new SelfCheck(
                DuplicateCheck.count(LongStream.concat(Arrays.stream(draws.values), Arrays.stream(laidOut))
                        .toArray()),
                mode.ordered()
                        ? OptionalLong.of(OrderCheck.count(draws.values, draws.began, draws.returned))
                        : OptionalLong.empty(),
                mode.gapless() ? OptionalLong.of(GapCheck.count(committed, unsure, start, next)) : OptionalLong.empty(),
                rows.map(there -> missing(draws, there)).orElse(0L));
    }

    /** Returns this result without the order, for a store that promises none. */
    public SelfCheck withoutOrder() {
        return new SelfCheck(duplicates, OptionalLong.empty(), gaps, lostRows);
    }

    /** Describes the faults; empty if there are none. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        tell(faults, duplicates, "duplicate");
        tell(faults, orderViolations.orElse(0), "order violation");
        tell(faults, gaps.orElse(0), "gap");
        tell(faults, lostRows, "lost row");
        return faults;
    }

    /** Counts rows whose numbers are unknown. */
    private static long missing(DrawnNumbers acknowledged, long[] rows) {
        long[] there = rows.clone();
        Arrays.sort(there);
        long lost = Arrays.stream(acknowledged.values)
                .filter(value -> Arrays.binarySearch(there, value) < 0)
                .count();
        return Math.max(lost, acknowledged.values.length + acknowledged.unseen - rows.length);
    }

    private static void tell(List<String> faults, long count, String what) {
        if (count > 0) {
            faults.add(count + " " + what + (count == 1 ? "" : "s"));
        }
    }
}
