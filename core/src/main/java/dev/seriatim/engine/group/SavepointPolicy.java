// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.GroupedSequence;

/**
 * Decides by recent failures how a group protects itself against units that fail. Used under the line's lock.
 *
 * <p>Without failures, a group has no savepoints and many units. After a failure, the next groups set a savepoint before each unit, so
 * that another failure undoes only itself. Without savepoints, a failure makes the whole group run again. Groups are then kept small,
 * because the work at risk grows with the square of their size.
 */
final class SavepointPolicy {

    private static final int CAREFUL_GROUPS = 16;

    private int careful;
    private int mostUnits = GroupedSequence.MOST_UNITS;

    /** Whether the next group makes savepoints. */
    boolean careful() {
        return careful > 0;
    }

    /** Returns how many units a group may have that cannot undo a single unit. */
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
