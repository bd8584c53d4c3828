// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.List;

/**
 * What is wrong with the committed numbers of a gapless sequence. Every count is of different numbers.
 *
 * @param missing numbers from the start to the counter that are neither committed nor laid out
 * @param stray numbers that are committed or laid out, and are outside start and counter
 * @param lost numbers that were acknowledged and are not committed
 * @param unexpected numbers that are committed, and were neither acknowledged nor unsure
 * @param inBoth numbers that are committed and laid out
 */
public record Gaps(long missing, long stray, long lost, long unexpected, long inBoth, List<String> examples) {

    /**
     * The numbers to check.
     *
     * @param start the first number of the sequence
     * @param next the next number of the counter
     * @param unsure the numbers whose commit has an unknown outcome
     */
    public record Found(
            long start, long next, ValueSet committed, ValueSet laidOut, ValueSet acknowledged, ValueSet unsure) {

        /** @throws IllegalArgumentException if the counter is below the start, or further above it than 64 bits count */
        public Found {
            if (next < start || next - start < 0) {
                throw new IllegalArgumentException("start " + start + ", counter " + next + "; must be in this order");
            }
        }
    }

    /**
     * Compares the numbers with what was promised: every number from the start to the counter is committed or laid out, and none is in
     * both; every acknowledged number is committed, and every other committed number is unsure.
     */
    public static Gaps of(Found found) {
        return new Pass(found).run();
    }

    public long count() {
        return missing + stray + lost + unexpected + inBoth;
    }

    /** One pass over the numbers, by stretches whose numbers are in the same sets. */
    private static final class Pass {

        private final Examples examples = new Examples();
        private final Found found;
        private final ValueSet.Runs committed;
        private final ValueSet.Runs laidOut;
        private final ValueSet.Runs acknowledged;
        private final ValueSet.Runs unsure;

        private long first = Long.MIN_VALUE;
        private long last;

        Pass(Found found) {
            this.found = found;
            committed = found.committed.runs();
            laidOut = found.laidOut.runs();
            acknowledged = found.acknowledged.runs();
            unsure = found.unsure.runs();
        }

        Gaps run() {
            String bounds = found.start == found.next
                    ? "a sequence without numbers"
                    : Examples.numbers(found.start, found.next - 1);
            long missing = 0;
            long stray = 0;
            long lost = 0;
            long unexpected = 0;
            long inBoth = 0;
            do {
                last = endOfStretch();
                boolean isInside = found.start <= first && first < found.next;
                boolean isCommitted = committed.contains(first);
                boolean isLaidOut = laidOut.contains(first);
                boolean isAcknowledged = acknowledged.contains(first);
                missing += count(isInside && !isCommitted && !isLaidOut, "missing");
                stray += count(!isInside && isCommitted, "committed, outside " + bounds);
                stray += count(!isInside && isLaidOut && !isCommitted, "laid out, outside " + bounds);
                inBoth += count(isCommitted && isLaidOut, "both committed and laid out");
                lost += count(isAcknowledged && !isCommitted, "acknowledged, not committed");
                unexpected +=
                        count(isCommitted && !isAcknowledged && !unsure.contains(first), "committed, not acknowledged");
                first = last + 1;
            } while (last < Long.MAX_VALUE);
            return new Gaps(missing, stray, lost, unexpected, inBoth, examples.lines());
        }

        private long endOfStretch() {
            long end = Math.min(
                    Math.min(committed.endOfStretch(first), laidOut.endOfStretch(first)),
                    Math.min(acknowledged.endOfStretch(first), unsure.endOfStretch(first)));
            if (first < found.start) {
                return Math.min(end, found.start - 1);
            }
            return first < found.next ? Math.min(end, found.next - 1) : end;
        }

        private long count(boolean isWrong, String what) {
            if (isWrong) {
                examples.add(Examples.numbers(first, last) + ": " + what);
            }
            return isWrong ? last - first + 1 : 0;
        }
    }
}
