// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/**
 * Several numbers, in the order in which they were dealt. Returned by every {@code next(count)}; a {@link Block} if the
 * numbers are contiguous.
 *
 * <p>Immutable and thread-safe.
 */
public interface Numbers extends Iterable<Long> {

    /** Returns the number of values, at least 1. */
    long count();

    /**
     * Returns the number at an index.
     *
     * @param index from 0 to count - 1
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    long get(long index);

    /** Returns the first number. */
    default long first() {
        return get(0);
    }

    /** Returns the last number. */
    default long last() {
        return get(count() - 1);
    }

    /** Returns the numbers as a stream. */
    default LongStream values() {
        return LongStream.range(0, count()).map(this::get);
    }

    /** Returns the numbers as a list. */
    default List<Long> toList() {
        return values().boxed().toList();
    }

    @Override
    default PrimitiveIterator.OfLong iterator() {
        return values().iterator();
    }

    /**
     * Returns these numbers, in this order. Copies the array.
     *
     * @throws IllegalArgumentException if the array is empty
     */
    static Numbers of(long... numbers) {
        return new Listed(numbers.clone());
    }
}
