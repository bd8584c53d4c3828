// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * A set of 64-bit values for a thousand million of them and more: at most about a bit each where they are dense. A Roaring bitmap
 * holds the values that share their highest 32 bits. Roaring bitmaps of 64 bits are not used, because their {@code add} does not
 * report whether the value was there. Not thread-safe.
 */
public final class ValueSet {

    private static final long PART = 1L << 32;

    /** Additions after which full stretches of bits become runs. */
    private static final int OPTIMIZED_AFTER = 1 << 20;

    private final TreeMap<Long, RoaringBitmap> parts = new TreeMap<>();

    private @Nullable RoaringBitmap latest;
    private long latestKey;
    private int additions;
    private long size;
    private long firstRepeated;

    /** Adds a value, and returns whether it was there already. */
    public boolean add(long value) {
        RoaringBitmap part = part(value >> 32);
        boolean repeated = !part.checkedAdd((int) value);
        if (repeated) {
            firstRepeated = value;
        } else {
            size++;
        }
        if (++additions == OPTIMIZED_AFTER) {
            additions = 0;
            part.runOptimize();
        }
        return repeated;
    }

    /**
     * Adds the values from the first upwards, and returns how many of them were there already.
     *
     * @throws IllegalArgumentException if the count is negative or above 2^32, or the last value is beyond 64 bits
     */
    public long add(long first, long count) {
        if (count == 0) {
            return 0;
        }
        long last = first + count - 1;
        if (count < 0 || count > PART || last < first) {
            throw new IllegalArgumentException("cannot add " + count + " values from " + first
                    + "; add 0 to 4294967296 values, up to " + Long.MAX_VALUE);
        }
        long repeated = 0;
        for (long key = first >> 32; key <= last >> 32; key++) {
            RoaringBitmap part = part(key);
            long base = key << 32;
            long from = Math.max(first, base) - base;
            long end = Math.min(last - base, PART - 1) + 1;
            long there = part.rangeCardinality(from, end);
            if (there > 0 && repeated == 0) {
                firstRepeated = base + part.nextValue((int) from);
            }
            repeated += there;
            part.add(from, end);
        }
        size += count - repeated;
        return repeated;
    }

    private RoaringBitmap part(long key) {
        RoaringBitmap part = latest;
        if (part == null || latestKey != key) {
            part = parts.computeIfAbsent(key, missing -> new RoaringBitmap());
            latest = part;
            latestKey = key;
        }
        return part;
    }

    /** Returns the lowest value that the latest {@link #add} found here; undefined if it found none. */
    public long firstRepeated() {
        return firstRepeated;
    }

    public boolean contains(long value) {
        RoaringBitmap part = parts.get(value >> 32);
        return part != null && part.contains((int) value);
    }

    public long size() {
        return size;
    }

    /** Returns the values in ascending order. The set must not change meanwhile. */
    Runs runs() {
        return new Runs(parts);
    }

    /** The runs of consecutive values in ascending order, for a reader that asks for ascending values. */
    static final class Runs {

        private final Iterator<Map.Entry<Long, RoaringBitmap>> parts;
        private RoaringBitmap part = new RoaringBitmap();
        private long base;
        private long end = PART;

        private boolean any;
        private long first;
        private long last;

        Runs(NavigableMap<Long, RoaringBitmap> parts) {
            this.parts = parts.entrySet().iterator();
            next();
        }

        /** Returns whether a value is in the set. */
        boolean contains(long value) {
            while (any && last < value) {
                next();
            }
            return any && first <= value;
        }

        /** Returns the last value from this one on of which all are in the set, or none is. */
        long endOfStretch(long value) {
            if (contains(value)) {
                return last;
            }
            return any ? first - 1 : Long.MAX_VALUE;
        }

        private void next() {
            long from = end == PART ? -1 : part.nextValue((int) end);
            while (from < 0 && parts.hasNext()) {
                Map.Entry<Long, RoaringBitmap> next = parts.next();
                part = next.getValue();
                base = next.getKey() << 32;
                from = part.nextValue(0);
            }
            any = from >= 0;
            if (any) {
                long absent = part.nextAbsentValue((int) from);
                end = absent < 0 ? PART : absent;
                first = base + from;
                last = base + end - 1;
            }
        }
    }
}
