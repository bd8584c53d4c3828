// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.stream.LongStream;

/**
 * An arithmetic progression of {@code count} values: {@code first}, {@code first + increment}, … None exceeds 64 bits.
 * Immutable and thread-safe.
 *
 * @param first the first value
 * @param count the number of values, at least 1
 * @param increment the step from one value to the next, never 0; negative if the sequence counts down
 */
public record Block(long first, long count, long increment) implements Numbers {

    /** Throws if the count is below 1, the increment is 0, or the last value exceeds 64 bits. */
    public Block {
        if (count < 1) {
            throw new IllegalArgumentException("count of a block must be at least 1, not " + count);
        }
        if (increment == 0) {
            throw new IllegalArgumentException("increment of a block must not be 0");
        }
        long distance = increment > 0 ? Long.MAX_VALUE - first : first - Long.MIN_VALUE; // exact as unsigned numbers
        long steps = Long.divideUnsigned(distance, increment > 0 ? increment : -increment);
        if (Long.compareUnsigned(count - 1, steps) > 0) {
            throw new IllegalArgumentException(
                    "a block of " + count + " values from " + first + " by " + increment + " exceeds 64 bits");
        }
    }

    @Override
    public long last() {
        return first + (count - 1) * increment;
    }

    @Override
    public long get(long index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("a block of " + count + " values has no value " + index);
        }
        return first + index * increment;
    }

    @Override
    public LongStream values() {
        return LongStream.range(0, count).map(i -> first + i * increment);
    }

    /** Returns this block without its first {@code from} values; {@code from} must be below {@code count}. */
    public Block tail(long from) {
        return from == 0 ? this : new Block(first + from * increment, count - from, increment);
    }

    /** Returns the {@code length} values that start at index {@code from}. */
    public Block slice(long from, long length) {
        return new Block(first + from * increment, length, increment);
    }
}
