// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawnNumbers;
import dev.seriatim.check.Gaps;
import dev.seriatim.check.OrderCheck;
import dev.seriatim.check.UniqueCheck;
import dev.seriatim.check.ValueSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The result of checking the numbers of a run; empty where nothing is promised.
 *
 * @param duplicates draws of a number beyond the first, and numbers both drawn and in the pool; see {@link UniqueCheck}
 * @param orderViolations see {@link OrderCheck}
 * @param gaps missing and stray numbers; see {@link Gaps}
 * @param lostRows numbers whose row was reported as committed but is not in the table, if there is one
 */
record SelfCheck(long duplicates, OptionalLong orderViolations, OptionalLong gaps, long lostRows) {

    /**
     * Checks numbers drawn in a mode from a sequence that started at {@code start} and whose next number is {@code next}.
     *
     * @param ordered whether the mode promises an order on this store
     * @param rows the numbers in the committed rows of a table, which then must have no gap
     * @param laidOut the numbers in the sequence's pool: together with the drawn ones they must have no gap, and none may be
     *     in both
     */
    static SelfCheck of(
            Contender mode,
            boolean ordered,
            DrawnNumbers draws,
            Optional<long[]> rows,
            long[] laidOut,
            long start,
            long next) {
        UniqueCheck dealt = new UniqueCheck(0);
        LongStream.concat(Arrays.stream(draws.values()), Arrays.stream(laidOut))
                .forEach(number -> dealt.drew("a worker", 0, number, 1));
        Optional<ValueSet> committed = rows.map(SelfCheck::set);
        OptionalLong gaps = OptionalLong.empty();
        if (mode.gapless()) {
            Gaps found = committed.isPresent()
                    ? gaps(start, next, committed.get(), set(laidOut))
                    : gapsWithoutRows(dealt.drawn(), draws.unsure(), start, next);
            gaps = OptionalLong.of(found.missing() + found.stray());
        }
        return new SelfCheck(
                dealt.duplicates(),
                ordered ? OptionalLong.of(violations(draws)) : OptionalLong.empty(),
                gaps,
                committed
                        .map(there -> missing(draws, there, rows.orElseThrow().length))
                        .orElse(0L));
    }

    List<String> faults() {
        List<String> faults = new ArrayList<>();
        add(faults, duplicates, "duplicate");
        add(faults, orderViolations.orElse(0), "order violation");
        add(faults, gaps.orElse(0), "gap");
        add(faults, lostRows, "lost row");
        return faults;
    }

    private static void add(List<String> faults, long count, String what) {
        if (count > 0) {
            faults.add(count + " " + what + (count == 1 ? "" : "s"));
        }
    }

    /** A number whose commit is uncertain may fill a gap, and may be beyond the counter. */
    private static Gaps gapsWithoutRows(ValueSet dealt, long[] unsure, long start, long next) {
        Arrays.stream(unsure).filter(number -> number >= start && number < next).forEach(dealt::add);
        return gaps(start, next, dealt, new ValueSet());
    }

    private static Gaps gaps(long start, long next, ValueSet committed, ValueSet laidOut) {
        return Gaps.of(new Gaps.Found(start, next, committed, laidOut, committed, new ValueSet()));
    }

    /** Counts rows whose numbers are unknown. */
    private static long missing(DrawnNumbers acknowledged, ValueSet there, int rows) {
        long lost = Arrays.stream(acknowledged.values())
                .filter(value -> !there.contains(value))
                .count();
        return Math.max(lost, acknowledged.values().length + acknowledged.unseen() - rows);
    }

    private static ValueSet set(long[] numbers) {
        ValueSet set = new ValueSet();
        Arrays.stream(numbers).forEach(set::add);
        return set;
    }

    /** Returns the number of draws out of order. All lanes report in turn, so that few draws wait to be final. */
    private static long violations(DrawnNumbers draws) {
        OrderCheck check = new OrderCheck(0);
        List<Lane> lanes = new ArrayList<>();
        for (int from = 0; from < draws.values().length; from = lanes.get(lanes.size() - 1).end) {
            lanes.add(new Lane(check.open("a worker", Long.MIN_VALUE), draws, from));
        }
        while (!lanes.isEmpty()) {
            lanes.removeIf(Lane::isReported);
        }
        return check.violations();
    }

    /** A stretch of the record in which the draws began and returned in order, as those of a worker do. */
    private static final class Lane {

        private static final int AT_A_TIME = 4096;

        private final OrderCheck.Lane lane;
        private final DrawnNumbers draws;
        private final int end;
        private int at;

        Lane(OrderCheck.Lane lane, DrawnNumbers draws, int from) {
            this.lane = lane;
            this.draws = draws;
            at = from;
            int to = from + 1;
            while (to < draws.values().length
                    && draws.began()[to] >= draws.began()[to - 1]
                    && draws.returned()[to] >= draws.returned()[to - 1]) {
                to++;
            }
            end = to;
        }

        /** Reports the next draws, and returns whether these were the last. */
        boolean isReported() {
            int until = Math.min(end, at + AT_A_TIME);
            for (; at < until; at++) {
                // A call may have returned several numbers, which the record lists as draws with the same times.
                lane.drewOneOfSeveral(draws.began()[at], draws.returned()[at], draws.values()[at], 1);
            }
            if (at == end) {
                lane.close();
            }
            return at == end;
        }
    }
}
