// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import dev.seriatim.SequenceException;

/** The low 63 bits in reverse. */
record BitReversal() implements Transform {

    @Override
    public long apply(long number) {
        return reversed(number);
    }

    @Override
    public long invert(long transformed) {
        return reversed(transformed);
    }

    /** Its own inverse; the sign bit takes no part. */
    static long reversed(long number) {
        if (number < 0) {
            throw new SequenceException.OutOfRange("bit reversal takes numbers from 0 to " + Long.MAX_VALUE + ", not "
                    + number + "; give the sequence a min value of 0 or more");
        }
        return Long.reverse(number) >>> 1;
    }

    /**
     * The low 63 bits in reverse, without results in a range.
     *
     * @param skipMin the lowest result that is passed over
     * @param skipMax the highest
     */
    record Skipping(long skipMin, long skipMax) implements Transform {

        /**
         * A 64th of all results in one piece holds an aligned 128th, which is all results of certain high 7 bits: those of all numbers
         * of certain low 7 bits. So of 128 neighbours one at least is dealt.
         */
        private static final long LEAST_LEFT = Long.MAX_VALUE / 64;

        Skipping {
            if (skipMin < 0 || skipMax < skipMin) {
                throw new SequenceException.Misconfigured("skip range " + skipMin + " … " + skipMax
                        + " must begin at 0 or above and be in order; write the lower end first");
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
                throw new SequenceException.OutOfRange(asked + " is passed over: " + result + " lies in the skip range "
                        + skipMin + " … " + skipMax + " and is never dealt; ask skips(number) first and draw again");
            }
            return result;
        }

        private boolean inRange(long result) {
            return skipMin <= result && result <= skipMax;
        }
    }
}
