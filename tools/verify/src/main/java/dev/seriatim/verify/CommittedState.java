// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

/**
 * The committed state of a gapless mode at one moment. Immutable.
 *
 * @param next the counter, which follows the numbers drawn and laid out
 * @param laidOut the numbers in the pool; empty except in POOLED
 */
record CommittedState(long start, long next, Counted stored, Counted laidOut) {

    /** A count of numbers, and their bounds, which are 0 if there are none. */
    record Counted(long count, long least, long greatest) {

        static final Counted NONE = new Counted(0, 0, 0);

        private Counted and(Counted other) {
            if (count == 0 || other.count == 0) {
                return count == 0 ? other : this;
            }
            return new Counted(count + other.count, Math.min(least, other.least), Math.max(greatest, other.greatest));
        }

        private String bounds() {
            return " from " + least + " to " + greatest;
        }
    }

    /**
     * Returns whether counts and bounds match the numbers from start to the counter. If so, and if no number is both stored and laid out,
     * there is no gap, because a ledger's numbers are unique.
     */
    boolean looksGapless() {
        Counted all = stored.and(laidOut);
        return all.count() == next - start
                && (all.count() == 0 || (all.least() == start && all.greatest() == next - 1));
    }

    @Override
    public String toString() {
        String pool = laidOut.count() == 0 ? "" : ", " + laidOut.count() + " laid out" + laidOut.bounds();
        return "the counter was at " + next + ", with " + stored.count() + " numbers stored" + stored.bounds() + pool;
    }
}
