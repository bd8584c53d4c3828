// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

import java.math.BigInteger;
import java.util.Optional;

/** Collects numbers, each told once and in order, into a range. Not thread-safe. */
final class Stretch {

    private long first;
    private long last;
    private long count;

    void add(long number) {
        first = count == 0 ? number : first;
        last = number;
        count++;
    }

    /** What was collected; empty when nothing was. */
    Optional<NumberRange> range() {
        return count == 0 ? Optional.empty() : Optional.of(new NumberRange(first, last, BigInteger.valueOf(count)));
    }

    /** The same, and begins anew. */
    Optional<NumberRange> end() {
        Optional<NumberRange> range = range();
        count = 0;
        return range;
    }
}
