// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

/**
 * A set of 64-bit values for a thousand million of them and more: at most about a bit each where they are dense, about
 * 80 bytes each where every one is far from the others. Not thread-safe.
 *
 * <p>A page holds the values that share all but their lowest 16 bits: as runs, as bits if there are many runs, and as part of
 * an interval once it is full. Pages are found by hashing, since they are looked up far more often than they are
 * sorted.
 *
 * <p>Roaring bitmaps of 64 bits are not used: to add a value does not tell whether it was there, so that each is looked up twice,
 * and they keep bits where a few runs suffice. They take three times as long.
 */
public final class ValueSet {

    private static final int PAGE_BITS = 16;
    private static final int LAST_IN_PAGE = ValuePage.VALUES - 1;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final FullPages full = new FullPages();
    private long[] keys = new long[16];
    private ValuePage[] pages = new ValuePage[16];
    private int used;
    private long size;
    private long firstRepeated;

    /** Adds a value, and returns whether it was there already. */
    public boolean add(long value) {
        return addInPage(page(value), inPage(value), inPage(value)) > 0;
    }

    /**
     * Adds the values from the first upwards, and returns how many of them were there already.
     *
     * @throws IllegalArgumentException if the count is negative or goes beyond 64 bits
     */
    public long add(long first, long count) {
        if (count == 0) {
            return 0;
        }
        long last = first + count - 1;
        if (count < 0 || last < first) {
            throw new IllegalArgumentException(
                    "cannot add " + count + " values from " + first + ": the last must be at most " + Long.MAX_VALUE);
        }
        long from = page(first);
        long to = page(last);
        if (from == to) {
            return addInPage(from, inPage(first), inPage(last));
        }
        long atStart = addInPage(from, inPage(first), LAST_IN_PAGE);
        long lowest = firstRepeated;
        long between = from + 1 < to ? addPages(from + 1, to - 1) : 0;
        lowest = atStart > 0 ? lowest : firstRepeated;
        long atEnd = addInPage(to, 0, inPage(last));
        firstRepeated = atStart + between > 0 ? lowest : firstRepeated;
        return atStart + between + atEnd;
    }

    /** Returns the lowest value that the latest {@link #add} found here; undefined if it found none. */
    public long firstRepeated() {
        return firstRepeated;
    }

    public boolean contains(long value) {
        ValuePage page = pages[slot(page(value))];
        return page == null ? full.contains(page(value)) : page.contains(inPage(value));
    }

    /** Returns how many values there are. */
    public long size() {
        return size;
    }

    /** Returns the values as runs in ascending order. The set must not change meanwhile. */
    public ValueRuns runs() {
        return new ValueRuns(this);
    }

    /** Returns the values in ascending order. The set must not change meanwhile. */
    public PrimitiveIterator.OfLong values() {
        ValueRuns runs = runs();
        return new PrimitiveIterator.OfLong() {
            private boolean more = runs.next();
            private long next = more ? runs.first() : 0;

            @Override
            public boolean hasNext() {
                return more;
            }

            @Override
            public long nextLong() {
                if (!more) {
                    throw new NoSuchElementException();
                }
                long value = next;
                if (value < runs.last()) {
                    next++;
                } else {
                    more = runs.next();
                    next = more ? runs.first() : 0;
                }
                return value;
            }
        };
    }

    FullPages full() {
        return full;
    }

    /** Returns the numbers of the pages that are not full, in ascending order. */
    long[] partial() {
        long[] partial = new long[used];
        int at = 0;
        for (int slot = 0; slot < pages.length; slot++) {
            if (pages[slot] != null) {
                partial[at++] = keys[slot];
            }
        }
        Arrays.sort(partial);
        return partial;
    }

    /** Returns a page that is not full. */
    ValuePage partial(long key) {
        return pages[slot(key)];
    }

    private long addInPage(long key, int first, int last) {
        int slot = slot(key);
        ValuePage page = pages[slot];
        if (page == null) {
            if (full.contains(key)) {
                firstRepeated = value(key, first);
                return last - first + 1L;
            }
            page = new RunPage();
            put(slot, key, page);
        }
        int repeated = page.add(first, last);
        if (repeated > 0) {
            firstRepeated = value(key, page.firstRepeated);
        }
        size += last - first + 1 - repeated;
        if (page.unsuited()) {
            page = page.compact();
            pages[slot(key)] = page;
        }
        if (page.full()) {
            remove(slot(key));
            full.add(key, key);
        }
        return repeated;
    }

    /** Adds whole pages. */
    private long addPages(long from, long to) {
        long lowest = full.nextIn(from);
        long lowestValue = lowest <= to ? value(lowest, 0) : Long.MAX_VALUE;
        long repeated = 0;
        for (long key : partial(from, to)) {
            ValuePage page = partial(key);
            repeated += page.size();
            lowestValue = Math.min(lowestValue, value(key, page.nextIn(0)));
            remove(slot(key));
        }
        repeated += full.add(from, to) << PAGE_BITS;
        size += ((to - from + 1) << PAGE_BITS) - repeated;
        if (repeated > 0) {
            firstRepeated = lowestValue;
        }
        return repeated;
    }

    /** Returns the pages between two that are not full: by the fewer of those asked for and those there are. */
    private long[] partial(long from, long to) {
        long[] found = new long[(int) Math.min(used, to - from + 1)];
        int count = 0;
        if (to - from < pages.length) {
            for (long key = from; key <= to; key++) {
                if (pages[slot(key)] != null) {
                    found[count++] = key;
                }
            }
        } else {
            for (int slot = 0; slot < pages.length; slot++) {
                if (pages[slot] != null && keys[slot] >= from && keys[slot] <= to) {
                    found[count++] = keys[slot];
                }
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Returns where a page is, or where it would be put. */
    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = home(key);
        while (pages[slot] != null && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private int home(long key) {
        return (int) ((key * SPREAD) >>> Long.numberOfLeadingZeros(keys.length - 1L));
    }

    private void put(int slot, long key, ValuePage page) {
        keys[slot] = key;
        pages[slot] = page;
        used++;
        if (used > keys.length / 4 * 3) {
            grow();
        }
    }

    private void grow() {
        long[] oldKeys = keys;
        ValuePage[] oldPages = pages;
        keys = new long[2 * oldKeys.length];
        pages = new ValuePage[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldPages[i] != null) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                pages[slot] = oldPages[i];
            }
        }
    }

    /** Empties a slot, and moves what would no longer be found. */
    private void remove(int emptied) {
        int mask = keys.length - 1;
        int hole = emptied;
        for (int slot = hole + 1 & mask; pages[slot] != null; slot = slot + 1 & mask) {
            if ((slot - home(keys[slot]) & mask) >= (slot - hole & mask)) {
                keys[hole] = keys[slot];
                pages[hole] = pages[slot];
                hole = slot;
            }
        }
        pages[hole] = null;
        used--;
    }

    private static long page(long value) {
        return value >> PAGE_BITS;
    }

    private static int inPage(long value) {
        return (int) value & LAST_IN_PAGE;
    }

    static long value(long page, int inPage) {
        return (page << PAGE_BITS) + inPage;
    }
}
