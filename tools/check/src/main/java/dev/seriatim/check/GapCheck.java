// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.PrimitiveIterator;

/**
 * Compares the committed numbers of a gapless sequence with what was promised: every number from the start to the counter is
 * committed or laid out in the pool, and none is in both; every number that was acknowledged is committed.
 *
 * <p>Goes once through the committed numbers in ascending order, and keeps none of them.
 */
public final class GapCheck {

    private static final ValueSet NONE = new ValueSet();

    private final long start;
    private final long next;
    private ValueSet acknowledged = NONE;
    private ValueSet unsure = NONE;
    private ValueSet laidOut = NONE;
    private boolean allReported;

    /**
     * @param start the first number of the sequence
     * @param next the next number of the counter
     * @throws IllegalArgumentException if the counter is below the start, or further above it than 64 bits count
     */
    public GapCheck(long start, long next) {
        if (next < start || next - start < 0) {
            throw new IllegalArgumentException("start " + start + ", counter " + next + "; must be in this order");
        }
        this.start = start;
        this.next = next;
    }

    /** Takes the numbers whose commit was acknowledged. */
    public GapCheck acknowledged(ValueSet numbers) {
        acknowledged = numbers;
        return this;
    }

    /** Takes the numbers whose commit has an unknown outcome. */
    public GapCheck unsure(ValueSet numbers) {
        unsure = numbers;
        return this;
    }

    /** Takes the numbers in the pool. */
    public GapCheck laidOut(ValueSet numbers) {
        laidOut = numbers;
        return this;
    }

    /**
     * Counts a committed number that was neither acknowledged nor unsure as unexpected. Only where every worker reported all
     * that it did: one that was killed may have committed what it could not report.
     */
    public GapCheck allReported() {
        allReported = true;
        return this;
    }

    /**
     * Checks the committed numbers.
     *
     * @throws IllegalArgumentException if they do not ascend
     */
    public Gaps check(PrimitiveIterator.OfLong committed) {
        Pass pass = new Pass();
        boolean isFirst = true;
        long last = 0;
        while (committed.hasNext()) {
            long number = committed.nextLong();
            if (isFirst || number > last) {
                pass.take(number);
            } else if (number == last) {
                pass.repeat(number);
            } else {
                throw new IllegalArgumentException(
                        "committed number " + number + " after " + last + "; sort them in ascending order");
            }
            isFirst = false;
            last = number;
        }
        return pass.end();
    }

    /** One pass over the committed numbers. */
    private final class Pass {

        private final ValueCursor acknowledgedLeft = new ValueCursor(acknowledged);
        private final ValueCursor unsureLeft = new ValueCursor(unsure);
        private final ValueCursor laidOutLeft = new ValueCursor(laidOut);
        private final Examples examples = new Examples();

        /** The lowest number of the sequence that has not been looked at. */
        private long expected = start;

        private long missing;
        private long stray;
        private long lost;
        private long unexpected;
        private long inBoth;
        private long repeated;

        private void take(long number) {
            if (number > Long.MIN_VALUE) {
                passTo(number - 1);
            }
            if (number >= start && number < next) {
                expected = number + 1;
            } else {
                stray++;
                describe(number, number, "committed, outside " + bounds());
            }
            if (laidOutLeft.take(number)) {
                inBoth++;
                describe(number, number, "both committed and laid out");
            }
            boolean acknowledged = acknowledgedLeft.take(number);
            boolean unsure = unsureLeft.take(number); // both move on
            if (allReported && !acknowledged && !unsure) {
                unexpected++;
                describe(number, number, "committed, not acknowledged");
            }
        }

        private void repeat(long number) {
            repeated++;
            describe(number, number, "committed again");
        }

        private Gaps end() {
            passTo(Long.MAX_VALUE);
            return new Gaps(missing, stray, lost, unexpected, inBoth, repeated, examples.lines());
        }

        /** Passes numbers that are not committed. */
        private void passTo(long to) {
            while (laidOutLeft.hasNext() && laidOutLeft.first() <= to) {
                long last = Math.min(to, laidOutLeft.last());
                passLaidOut(laidOutLeft.first(), last);
                laidOutLeft.takeTo(last);
            }
            passMissing(to);
            while (acknowledgedLeft.hasNext() && acknowledgedLeft.first() <= to) {
                long first = acknowledgedLeft.first();
                long last = Math.min(to, acknowledgedLeft.last());
                lost += last - first + 1;
                describe(first, last, "acknowledged, not committed");
                acknowledgedLeft.takeTo(last);
            }
            while (unsureLeft.hasNext() && unsureLeft.first() <= to) {
                unsureLeft.takeTo(Math.min(to, unsureLeft.last()));
            }
        }

        private void passLaidOut(long first, long last) {
            long from = Math.max(first, start);
            long to = last < next ? last : next - 1;
            long inside = from < next && from <= to ? to - from + 1 : 0;
            if (inside > 0) {
                if (from > expected) {
                    passMissing(from - 1);
                }
                expected = to + 1;
            }
            if (inside < last - first + 1) {
                stray += last - first + 1 - inside;
                describe(first, last, "laid out, not within " + bounds());
            }
        }

        /** Passes numbers that are neither committed nor laid out. */
        private void passMissing(long to) {
            if (expected < next && expected <= to) {
                long last = Math.min(to, next - 1);
                missing += last - expected + 1;
                describe(expected, last, "missing");
                expected = last + 1;
            }
        }

        private void describe(long first, long last, String what) {
            if (!examples.full()) {
                examples.add(Examples.numbers(first, last) + ": " + what);
            }
        }

        private String bounds() {
            return start == next ? "a sequence without numbers" : Examples.numbers(start, next - 1);
        }
    }
}
