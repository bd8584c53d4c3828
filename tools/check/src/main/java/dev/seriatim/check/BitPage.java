// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

/** A page as a bit for each value: 8 KB. */
final class BitPage extends ValuePage {

    /** Once so few values are missing, they are few runs, for a quarter of the memory at most. */
    private static final int FEW_MISSING = 500;

    private final long[] words = new long[VALUES / Long.SIZE];
    private int size;

    @Override
    int add(int first, int last) {
        if (first == last) {
            return addOne(first);
        }
        int repeated = 0;
        for (int word = first >>> 6; word <= last >>> 6; word++) {
            long mask = -1L;
            if (word == first >>> 6) {
                mask &= -1L << first;
            }
            if (word == last >>> 6) {
                mask &= -1L >>> (63 - (last & 63));
            }
            long there = words[word] & mask;
            if (there != 0) {
                if (repeated == 0) {
                    firstRepeated = (word << 6) + Long.numberOfTrailingZeros(there);
                }
                repeated += Long.bitCount(there);
            }
            words[word] |= mask;
        }
        size += last - first + 1 - repeated;
        return repeated;
    }

    private int addOne(int value) {
        long bit = 1L << value;
        if ((words[value >>> 6] & bit) != 0) {
            firstRepeated = value;
            return 1;
        }
        words[value >>> 6] |= bit;
        size++;
        return 0;
    }

    @Override
    boolean contains(int value) {
        return (words[value >>> 6] >>> value & 1) != 0;
    }

    @Override
    int size() {
        return size;
    }

    @Override
    int nextIn(int from) {
        int next = next(from, 0);
        return next == VALUES ? -1 : next;
    }

    @Override
    int nextOut(int from) {
        return next(from, -1L);
    }

    /** Returns the next bit that is 1 after the words were combined by exclusive or with {@code flip}. */
    private int next(int from, long flip) {
        if (from >= VALUES) {
            return VALUES;
        }
        int word = from >>> 6;
        long rest = (words[word] ^ flip) & -1L << from;
        while (rest == 0) {
            if (++word == words.length) {
                return VALUES;
            }
            rest = words[word] ^ flip;
        }
        return (word << 6) + Long.numberOfTrailingZeros(rest);
    }

    @Override
    boolean full() {
        return false;
    }

    @Override
    boolean unsuited() {
        return size > VALUES - FEW_MISSING;
    }

    @Override
    ValuePage compact() {
        if (!unsuited()) {
            return this;
        }
        RunPage runs = new RunPage();
        for (int first = nextIn(0); first >= 0; ) {
            int next = nextOut(first);
            runs.add(first, next - 1);
            first = next == VALUES ? -1 : nextIn(next);
        }
        return runs;
    }
}
