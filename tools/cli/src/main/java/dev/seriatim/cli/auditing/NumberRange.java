// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A run of numbers of one kind. Immutable.
 *
 * @param first the first, in the direction of the sequence
 * @param count the number of numbers; up to 2<sup>64</sup>
 */
record NumberRange(long first, long last, BigInteger count) {

    NumberRange and(NumberRange later) {
        return new NumberRange(first, later.last, count.add(later.count));
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("first", first);
        fields.put("last", last);
        fields.put("numbers", count);
        return fields;
    }

    @Override
    public String toString() {
        return first == last ? Long.toString(first) : first + " … " + last + " (" + count + " numbers)";
    }

    /** Collects distinct numbers, in order, into a range. Not thread-safe. */
    static final class Collector {

        private long first;
        private long last;
        private long count;

        void add(long number) {
            first = count == 0 ? number : first;
            last = number;
            count++;
        }

        /** Returns the collected numbers; empty if there are none. */
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
}
