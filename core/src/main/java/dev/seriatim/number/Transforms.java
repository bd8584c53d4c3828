// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.SequenceException;

/** The transforms without a key. */
final class Transforms {

    private Transforms() {}

    record Identity() implements Transform {

        @Override
        public long apply(long number) {
            return number;
        }

        @Override
        public long invert(long transformed) {
            return transformed;
        }
    }

    record Chain(Transform first, Transform second) implements Transform {

        @Override
        public long apply(long number) {
            return second.apply(first.apply(number));
        }

        @Override
        public long invert(long transformed) {
            return first.invert(second.invert(transformed));
        }

        @Override
        public boolean hasRange() {
            return first.hasRange() || second.hasRange();
        }

        @Override
        public boolean skips(long number) {
            return first.skips(number) || second.skips(first.apply(number));
        }
    }

    record BitReversal() implements Transform {

        @Override
        public long apply(long number) {
            return reversed(number);
        }

        @Override
        public long invert(long transformed) {
            return reversed(transformed);
        }
    }

    /** Reverses the low 63 bits, and skips results from {@code skipMin} to {@code skipMax}. */
    record Skipping(long skipMin, long skipMax) implements Transform {

        /**
         * A contiguous 64th of all results contains an aligned 128th: all results with certain high 7 bits, which come
         * from all numbers with certain low 7 bits. So at least one of 128 neighbours is dealt.
         */
        private static final long LEAST_LEFT = Long.MAX_VALUE / 64;

        Skipping {
            if (skipMin < 0 || skipMax < skipMin) {
                throw new SequenceException.Misconfigured("skip range " + skipMin + " … " + skipMax
                        + " must not be negative and must be in order; write the lower end first");
            }
            if (Math.max(skipMin, Long.MAX_VALUE - skipMax) < LEAST_LEFT) {
                throw new SequenceException.Misconfigured("skip range " + skipMin + " … " + skipMax
                        + " leaves too little to deal; leave at least 1/64 of 0 … " + Long.MAX_VALUE
                        + " below or above it");
            }
        }

        @Override
        public long apply(long number) {
            return dealt(number, reversed(number));
        }

        @Override
        public long invert(long transformed) {
            return reversed(dealt(transformed, transformed));
        }

        @Override
        public boolean skips(long number) {
            return inRange(reversed(number));
        }

        private long dealt(long asked, long result) {
            if (inRange(result)) {
                throw new SequenceException.OutOfRange(asked + " is skipped: " + result + " is in the skip range "
                        + skipMin + " … " + skipMax + " and is never dealt; check skips(number) first, and draw again");
            }
            return result;
        }

        private boolean inRange(long result) {
            return skipMin <= result && result <= skipMax;
        }
    }

    /** Reverses the low 63 bits; its own inverse. The sign bit is not included. */
    private static long reversed(long number) {
        if (number < 0) {
            throw new SequenceException.OutOfRange("bit reversal accepts numbers from 0 to " + Long.MAX_VALUE + ", not "
                    + number + "; give the sequence a min value of 0 or more");
        }
        return Long.reverse(number) >>> 1;
    }
}
