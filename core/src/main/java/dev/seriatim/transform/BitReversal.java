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
}
