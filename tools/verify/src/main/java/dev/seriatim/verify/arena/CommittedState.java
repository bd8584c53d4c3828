// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.arena;

/**
 * What is committed of a gapless mode at one moment. Immutable.
 *
 * @param start the sequence's first number
 * @param next the counter: the number that follows those drawn and laid out
 * @param stored the numbers in the ledger
 * @param laidOut the numbers in the pool; empty except in POOLED
 */
public record CommittedState(long start, long next, Counted stored, Counted laidOut) {

    /**
     * How many numbers there are, and from where to where. Immutable.
     *
     * @param count how many
     * @param least the least; 0 if there is none
     * @param greatest the greatest; 0 if there is none
     */
    public record Counted(long count, long least, long greatest) {

        /** No number. */
        public static final Counted NONE = new Counted(0, 0, 0);

        private Counted and(Counted other) {
            if (count == 0 || other.count == 0) {
                return count == 0 ? other : this;
            }
            return new Counted(count + other.count, Math.min(least, other.least), Math.max(greatest, other.greatest));
        }
    }

    /**
     * Returns whether counts and bounds fit numbers from start to the counter without a gap. If they do and no number is both stored
     * and laid out, there is none, since a ledger's numbers are unique.
     */
    public boolean looksGapless() {
        Counted all = stored.and(laidOut);
        return all.count() == next - start
                && (all.count() == 0 || (all.least() == start && all.greatest() == next - 1));
    }
}
