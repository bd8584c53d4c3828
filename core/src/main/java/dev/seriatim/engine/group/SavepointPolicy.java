// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.GroupedSequence;

/**
 * Decides by recent failures whether groups set savepoints, so that a unit that fails undoes only itself. Where there are no
 * savepoints, a failure makes the whole group run again, so groups are kept small: the work at risk grows with the square of
 * their size. Guarded by the line's lock.
 */
final class SavepointPolicy {

    /** A savepoint costs a round trip, so groups stop setting them once this many have been committed without a failure. */
    private static final int CAREFUL_GROUPS = 16;

    private int careful;
    private int mostUnits = GroupedSequence.MOST_UNITS;

    boolean careful() {
        return careful > 0;
    }

    /** Returns the maximum size of a group without savepoints. */
    int mostUnits() {
        return mostUnits;
    }

    /** Records that a unit threw after {@code before} units had run in its group. */
    void unitFailed(int before) {
        careful = CAREFUL_GROUPS;
        mostUnits = Math.max(1, Math.min(mostUnits, before) / 2);
    }

    void committed() {
        careful = Math.max(0, careful - 1);
        mostUnits = Math.min(GroupedSequence.MOST_UNITS, mostUnits * 2);
    }
}
