// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.math.BigInteger;
import java.util.Optional;

/** Collects distinct numbers, in order, into a range. Not thread-safe. */
final class Stretch {

    private long first;
    private long last;
    private long count;

    void add(long number) {
        first = count == 0 ? number : first;
        last = number;
        count++;
    }

    /** Returns what was collected; empty if nothing was. */
    Optional<NumberRange> range() {
        return count == 0 ? Optional.empty() : Optional.of(new NumberRange(first, last, BigInteger.valueOf(count)));
    }

    /** Returns the same, and starts over. */
    Optional<NumberRange> end() {
        Optional<NumberRange> range = range();
        count = 0;
        return range;
    }
}
