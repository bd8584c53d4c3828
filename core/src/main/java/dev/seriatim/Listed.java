// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.Arrays;

/** A list of individual numbers. Immutable. */
final class Listed implements Numbers {

    private final long[] numbers;

    /** Keeps the array without copying it. */
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
