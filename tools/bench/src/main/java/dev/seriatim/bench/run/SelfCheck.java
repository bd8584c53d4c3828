// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawnNumbers;
import dev.seriatim.check.GapCheck;
import dev.seriatim.check.Gaps;
import dev.seriatim.check.UniqueCheck;
import dev.seriatim.check.ValueSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of checking the numbers of a run; empty where the mode promises nothing.
 *
 * @param duplicates draws of a number beyond the first, and numbers both drawn and in the pool; see {@link UniqueCheck}
 * @param orderViolations see {@link dev.seriatim.check.OrderCheck}
 * @param gaps missing and stray numbers; see {@link GapCheck}
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
        UniqueCheck dealt = new UniqueCheck(0);
        deal(dealt, draws.values);
        deal(dealt, laidOut);
        Optional<ValueSet> committed = rows.map(SelfCheck::set);
        OptionalLong gaps = OptionalLong.empty();
        if (mode.gapless()) {
            Gaps found = committed.isPresent()
                    ? new GapCheck(start, next)
                            .laidOut(set(laidOut))
                            .check(committed.get().values())
                    : gapsWithoutRows(dealt.drawn(), draws.unsure, start, next);
            gaps = OptionalLong.of(found.missing() + found.stray());
        }
        return new SelfCheck(
                dealt.duplicates(),
                mode.ordered() ? OptionalLong.of(RecordedLanes.violations(draws)) : OptionalLong.empty(),
                gaps,
                committed
                        .map(there -> missing(draws, there, rows.orElseThrow().length))
                        .orElse(0L));
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

    private static void deal(UniqueCheck dealt, long[] numbers) {
        for (long number : numbers) {
            dealt.drew("a worker", 0, number, 1);
        }
    }

    /** A number whose commit is uncertain may fill a gap, and may be beyond the counter. */
    private static Gaps gapsWithoutRows(ValueSet dealt, long[] unsure, long start, long next) {
        for (long number : unsure) {
            if (number >= start && number < next) {
                dealt.add(number);
            }
        }
        return new GapCheck(start, next).check(dealt.values());
    }

    /** Counts rows whose numbers are unknown. */
    private static long missing(DrawnNumbers acknowledged, ValueSet there, int rows) {
        long lost = Arrays.stream(acknowledged.values)
                .filter(value -> !there.contains(value))
                .count();
        return Math.max(lost, acknowledged.values.length + acknowledged.unseen - rows);
    }

    private static ValueSet set(long[] numbers) {
        ValueSet set = new ValueSet();
        for (long number : numbers) {
            set.add(number);
        }
        return set;
    }

    private static void tell(List<String> faults, long count, String what) {
        if (count > 0) {
            faults.add(count + " " + what + (count == 1 ? "" : "s"));
        }
    }
}
