// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.Arrays;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/**
 * Several numbers, in the order in which they were dealt. Returned by every {@code next(count)}; a {@link Block} if the
 * numbers are contiguous. Immutable and thread-safe.
 */
public interface Numbers extends Iterable<Long> {

    /** Returns the number of values, at least 1. */
    long count();

    /** Returns the number at an index. Throws {@link IndexOutOfBoundsException} unless it is from 0 to count - 1. */
    long get(long index);

    default long first() {
        return get(0);
    }

    default long last() {
        return get(count() - 1);
    }

    default LongStream values() {
        return LongStream.range(0, count()).map(this::get);
    }

    default List<Long> toList() {
        return values().boxed().toList();
    }

    @Override
    default PrimitiveIterator.OfLong iterator() {
        return values().iterator();
    }

    /** Returns a copy of these numbers, in this order. Throws {@link IllegalArgumentException} if there are none. */
    static Numbers of(long... numbers) {
        return new Listed(numbers.clone());
    }
}

/** A list of individual numbers. Immutable. */
final class Listed implements Numbers {

    private final long[] numbers;

    Listed(long[] numbers) {
        if (numbers.length == 0) {
            throw new IllegalArgumentException("numbers must not be empty");
        }
        this.numbers = numbers;
    }

    @Override
    public long count() {
        return numbers.length;
    }

    @Override
    public long get(long index) {
        if (index < 0 || index >= numbers.length) {
            throw new IndexOutOfBoundsException("no number at index " + index + " of " + numbers.length);
        }
        return numbers[(int) index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Listed that && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }

    @Override
    public String toString() {
        return Arrays.toString(numbers);
    }
}
