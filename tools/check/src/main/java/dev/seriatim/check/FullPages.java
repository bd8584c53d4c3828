// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.Arrays;

/** Numbers of pages, as ascending intervals that do not touch. */
final class FullPages {

    private long[] firsts = new long[4];
    private long[] lasts = new long[4];
    private int count;

    /** How many intervals there are. */
    int count() {
        return count;
    }

    long first(int interval) {
        return firsts[interval];
    }

    long last(int interval) {
        return lasts[interval];
    }

    boolean contains(long page) {
        int interval = endingAtOrAfter(page);
        return interval < count && firsts[interval] <= page;
    }

    /** Returns the lowest page that is here and not below another; {@link Long#MAX_VALUE} if there is none. */
    long nextIn(long page) {
        int interval = endingAtOrAfter(page);
        return interval == count ? Long.MAX_VALUE : Math.max(page, firsts[interval]);
    }

    /** Adds the pages from the first to the last, and returns how many of them were here already. */
    long add(long first, long last) {
        int from = endingAtOrAfter(first - 1);
        if (from == count || firsts[from] > last + 1) {
            insert(from, first, last);
            return 0;
        }
        long repeated = 0;
        int to = from;
        while (to < count && firsts[to] <= last + 1) {
            repeated += Math.max(0, Math.min(last, lasts[to]) - Math.max(first, firsts[to]) + 1);
            to++;
        }
        firsts[from] = Math.min(first, firsts[from]);
        lasts[from] = Math.max(last, lasts[to - 1]);
        System.arraycopy(firsts, to, firsts, from + 1, count - to);
        System.arraycopy(lasts, to, lasts, from + 1, count - to);
        count -= to - from - 1;
        return repeated;
    }

    private void insert(int at, long first, long last) {
        if (count == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * count);
            lasts = Arrays.copyOf(lasts, 2 * count);
        }
        System.arraycopy(firsts, at, firsts, at + 1, count - at);
        System.arraycopy(lasts, at, lasts, at + 1, count - at);
        firsts[at] = first;
        lasts[at] = last;
        count++;
    }

    /** Returns the first interval whose last page is not below another; the number of intervals if there is none. */
    private int endingAtOrAfter(long page) {
        int at = Arrays.binarySearch(lasts, 0, count, page);
        return at < 0 ? -at - 1 : at;
    }
}
