// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.Arrays;

/** A page as ascending runs that do not touch: four bytes each. */
final class RunPage extends ValuePage {

    /** A page of more runs takes bits: they are faster to find, and need no more memory. */
    private static final int MOST_RUNS = 512;

    /** The first and the last value of each run. */
    private char[] bounds = new char[2];

    private int runs;

    @Override
    int add(int first, int last) {
        int from = runEndingAtOrAfter(first - 1);
        if (from == runs || first(from) > last + 1) {
            insert(from, first, last);
            return 0;
        }
        return merge(from, first, last);
    }

    /** Unites values with the runs that they touch, of which there is at least one. */
    private int merge(int from, int first, int last) {
        int repeated = 0;
        int to = from;
        while (to < runs && first(to) <= last + 1) {
            int low = Math.max(first, first(to));
            int high = Math.min(last, last(to));
            if (low <= high) {
                if (repeated == 0) {
                    firstRepeated = low;
                }
                repeated += high - low + 1;
            }
            to++;
        }
        bounds[2 * from] = (char) Math.min(first, first(from));
        bounds[2 * from + 1] = (char) Math.max(last, last(to - 1));
        if (to > from + 1) {
            System.arraycopy(bounds, 2 * to, bounds, 2 * (from + 1), 2 * (runs - to));
            runs -= to - from - 1;
        }
        return repeated;
    }

    private void insert(int at, int first, int last) {
        if (2 * runs == bounds.length) {
            bounds = Arrays.copyOf(bounds, 4 * runs);
        }
        System.arraycopy(bounds, 2 * at, bounds, 2 * (at + 1), 2 * (runs - at));
        bounds[2 * at] = (char) first;
        bounds[2 * at + 1] = (char) last;
        runs++;
    }

    @Override
    boolean contains(int value) {
        int run = runEndingAtOrAfter(value);
        return run < runs && first(run) <= value;
    }

    @Override
    int size() {
        int size = 0;
        for (int run = 0; run < runs; run++) {
            size += last(run) - first(run) + 1;
        }
        return size;
    }

    @Override
    int nextIn(int from) {
        int run = runEndingAtOrAfter(from);
        return run == runs ? -1 : Math.max(from, first(run));
    }

    @Override
    int nextOut(int from) {
        int run = runEndingAtOrAfter(from);
        return run == runs || first(run) > from ? from : last(run) + 1;
    }

    @Override
    boolean full() {
        return runs == 1 && last(0) - first(0) == VALUES - 1;
    }

    @Override
    boolean unsuited() {
        return runs > MOST_RUNS;
    }

    @Override
    ValuePage compact() {
        if (!unsuited()) {
            return this;
        }
        BitPage bits = new BitPage();
        for (int run = 0; run < runs; run++) {
            bits.add(first(run), last(run));
        }
        return bits;
    }

    /** Returns the first run whose last value is not below another; the number of runs if there is none. */
    private int runEndingAtOrAfter(int value) {
        int low = 0;
        int high = runs;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (last(middle) < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int first(int run) {
        return bounds[2 * run];
    }

    private int last(int run) {
        return bounds[2 * run + 1];
    }
}
