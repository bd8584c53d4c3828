// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

/** The values of a set, taken in ascending order. */
final class ValueCursor {

    private final ValueRuns runs;
    private boolean more;
    private long first;
    private long last;

    ValueCursor(ValueSet set) {
        runs = set.runs();
        nextRun();
    }

    boolean hasNext() {
        return more;
    }

    /** Returns the lowest value that has not been taken; only if there is one. */
    long first() {
        return first;
    }

    /** Returns the last value of the run that the lowest is in. */
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

    private void nextRun() {
        more = runs.next();
        first = runs.first();
        last = runs.last();
    }
}
