// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/** The values of a set, taken in ascending order, run by run. The set must not change meanwhile. */
final class ValueCursor implements PrimitiveIterator.OfLong {

    private static final long PART = 1L << 32;

    private final Iterator<Map.Entry<Long, RoaringBitmap>> parts;
    private @Nullable RoaringBitmap part;
    private long base;
    private long inPart;

    private boolean more;
    private long first;
    private long last;

    private boolean ahead;
    private long aheadFirst;
    private long aheadLast;

    ValueCursor(ValueSet set) {
        parts = set.parts().entrySet().iterator();
        lookAhead();
        nextRun();
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public long nextLong() {
        if (!more) {
            throw new NoSuchElementException();
        }
        long value = first;
        takeTo(value);
        return value;
    }

    /** Returns the lowest value that has not been taken; only if there is one. */
    long first() {
        return first;
    }

    /** Returns the last value of the run that begins at {@link #first}. */
    long last() {
        return last;
    }

    /** Takes the values up to one in this run. */
    void takeTo(long value) {
        if (value < last) {
            first = value + 1;
        } else {
            nextRun();
        }
    }

    /** Takes a value if it is the lowest, and returns whether it was. */
    boolean take(long value) {
        if (!more || first != value) {
            return false;
        }
        takeTo(value);
        return true;
    }

    /** Joins runs that touch where a part ends. */
    private void nextRun() {
        more = ahead;
        first = aheadFirst;
        if (more) {
            do {
                last = aheadLast;
                lookAhead();
            } while (ahead && aheadFirst - 1 == last);
        }
    }

    private void lookAhead() {
        long from = part == null || inPart == PART ? -1 : part.nextValue((int) inPart);
        while (from < 0 && parts.hasNext()) {
            Map.Entry<Long, RoaringBitmap> next = parts.next();
            part = next.getValue();
            base = next.getKey() << 32;
            from = part.nextValue(0);
        }
        ahead = from >= 0;
        if (ahead && part != null) {
            long absent = part.nextAbsentValue((int) from);
            inPart = absent < 0 ? PART : absent;
            aheadFirst = base + from;
            aheadLast = base + inPart - 1;
        }
    }
}
