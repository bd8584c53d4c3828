// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.GroupedSequence;

/**
 * How a group guards itself against units that fail, by what has happened lately. Used under the line's lock.
 *
 * <p>Without failures a group runs bare: no savepoints, many units. After one, the next groups make a savepoint before each
 * unit, so that another failure costs only itself. Where there are no savepoints, a failure makes everyone in the
 * group run again: groups are then kept small, since what is in danger grows with the square of their size.
 */
final class SavepointPolicy {

    private static final int CAREFUL_GROUPS = 16;

    private int careful;
    private int mostUnits = GroupedSequence.MOST_UNITS;

    /** Whether the next group makes savepoints. */
    boolean careful() {
        return careful > 0;
    }

    /** How many units a group may have that cannot undo one of them. */
    int mostUnits() {
        return mostUnits;
    }

    /** Records that a unit threw, and how many had run before it in its group. */
    void unitFailed(int before) {
        careful = CAREFUL_GROUPS;
        mostUnits = Math.max(1, Math.min(mostUnits, before) / 2);
    }

    void committed() {
        careful = Math.max(0, careful - 1);
        mostUnits = Math.min(GroupedSequence.MOST_UNITS, mostUnits * 2);
    }
}
