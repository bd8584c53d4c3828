// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import org.jspecify.annotations.Nullable;

/** The values of a set as ascending runs that do not touch. Begins before the first run. */
public final class ValueRuns {

    private final ValueSet set;
    private final long[] partial;
    private int nextPartial;
    private int nextFull;

    private @Nullable ValuePage page;
    private long key;
    private int inPage;

    private boolean ahead;
    private long aheadFirst;
    private long aheadLast;

    private long first;
    private long last;

    ValueRuns(ValueSet set) {
        this.set = set;
        this.partial = set.partial();
        this.ahead = look();
    }

    /** Goes to the next run, and returns whether there is one. */
    public boolean next() {
        if (!ahead) {
            return false;
        }
        first = aheadFirst;
        do {
            last = aheadLast;
            ahead = look();
        } while (ahead && aheadFirst - 1 == last);
        return true;
    }

    /** Returns the first value of this run. */
    public long first() {
        return first;
    }

    /** Returns the last value of this run. */
    public long last() {
        return last;
    }

    /** Looks at the next run, which may touch the one before where a page ends. */
    private boolean look() {
        while (true) {
            if (page != null && lookInPage(page)) {
                return true;
            }
            FullPages full = set.full();
            boolean moreFull = nextFull < full.count();
            if (nextPartial < partial.length && (!moreFull || partial[nextPartial] < full.first(nextFull))) {
                key = partial[nextPartial++];
                page = set.partial(key);
                inPage = 0;
            } else if (moreFull) {
                page = null;
                aheadFirst = ValueSet.value(full.first(nextFull), 0);
                aheadLast = ValueSet.value(full.last(nextFull++), ValuePage.VALUES - 1);
                return true;
            } else {
                return false;
            }
        }
    }

    private boolean lookInPage(ValuePage there) {
        int from = there.nextIn(inPage);
        if (from < 0) {
            return false;
        }
        inPage = there.nextOut(from);
        aheadFirst = ValueSet.value(key, from);
        aheadLast = ValueSet.value(key, inPage - 1);
        return true;
    }
}
