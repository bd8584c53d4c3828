// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/**
 * Several numbers, in the order in which they were dealt. What every {@code next(count)} returns: a {@link Block} where the numbers are
 * in one piece.
 *
 * <p>Immutable and thread-safe.
 */
public interface Numbers extends Iterable<Long> {

    /** How many, at least 1. */
    long count();

    /**
     * The number at a place.
     *
     * @param index 0 … count - 1
     * @throws IndexOutOfBoundsException when there is no such place
     */
    long get(long index);

    /** The first number. */
    default long first() {
        return get(0);
    }

    /** The last number. */
    default long last() {
        return get(count() - 1);
    }

    /** The numbers as a stream. */
    default LongStream values() {
        return LongStream.range(0, count()).map(this::get);
    }

    /** The numbers as a list. */
    default List<Long> toList() {
        return values().boxed().toList();
    }

    @Override
    default PrimitiveIterator.OfLong iterator() {
        return values().iterator();
    }

    /**
     * Returns these numbers, in this order; the array is copied.
     *
     * @throws IllegalArgumentException when there are none
     */
    static Numbers of(long... numbers) {
        return new Listed(numbers.clone());
    }
}
