// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.SequenceException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A keyed permutation of a range; see {@link Transform#permuted(PermutationKey, long, long)}. */
final class Permutation implements Transform {

    private static final int ROUNDS = 10;
    private static final byte[] USE = "seriatim permutation 1".getBytes(StandardCharsets.US_ASCII);

    private final PermutationKey key;
    private final long min;
    private final long max;
    private final int half; // bits
    private final long mask; // of half a place
    private final SipHash function;

    Permutation(PermutationKey key, long min, long max) {
        if (min > max) {
            throw new SequenceException.Misconfigured(
                    "permutation of " + min + " … " + max + ": its ends are out of order; swap them");
        }
        this.key = key;
        this.min = min;
        this.max = max;
        int bits = Long.SIZE - Long.numberOfLeadingZeros(max - min);
        half = (bits + 1) / 2;
        mask = (1L << half) - 1;
        function = key.functionFor(ByteBuffer.allocate(USE.length + 2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(USE)
                .putLong(min)
                .putLong(max)
                .array());
    }

    @Override
    public boolean hasRange() {
        return true;
    }

    @Override
    public long apply(long number) {
        long place = placeOf(number);
        do {
            place = forward(place);
        } while (beyond(place));
        return min + place;
    }

    @Override
    public long invert(long transformed) {
        long place = placeOf(transformed);
        do {
            place = backward(place);
        } while (beyond(place));
        return min + place;
    }

    private long forward(long place) {
        long left = place >>> half;
        long right = place & mask;
        for (int round = 0; round < ROUNDS; round++) {
            long mixed = left ^ f(round, right);
            left = right;
            right = mixed;
        }
        return left << half | right;
    }

    private long backward(long place) {
        long left = place >>> half;
        long right = place & mask;
        for (int round = ROUNDS - 1; round >= 0; round--) {
            long mixed = right ^ f(round, left);
            right = left;
            left = mixed;
        }
        return left << half | right;
    }

    /** Hashes five bytes: half a place, which has at most 32 bits, and the number of the round. */
    private long f(int round, long halfPlace) {
        return function.of(halfPlace | (long) round << Integer.SIZE, Integer.BYTES + 1) & mask;
    }

    private boolean beyond(long place) {
        return Long.compareUnsigned(place, max - min) > 0;
    }

    private long placeOf(long number) {
        if (number < min || number > max) {
            throw new SequenceException.OutOfRange(number + " is outside " + min + " … " + max
                    + ", the range of the permutation, which is part of its key: with a wider range it would deal numbers again;"
                    + " keep the sequence within that range, and continue beyond it with a new sequence and a new"
                    + " permutation");
        }
        return number - min;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Permutation same && key.equals(same.key) && min == same.min && max == same.max;
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Long.hashCode(min ^ Long.rotateLeft(max, 1));
    }

    @Override
    public String toString() {
        return "Permutation[min=" + min + ", max=" + max + "]";
    }
}
