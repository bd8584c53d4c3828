// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.List;

/**
 * What became of the numbers that were reserved: each is dealt, lost or given back, or its reservation has an unknown outcome.
 *
 * @param lost numbers that are known to be lost
 * @param givenBack numbers that were returned to the counter
 * @param unknown numbers that may have become anything, such as those of a killed process
 */
public record Conservation(long reserved, long dealt, long lost, long givenBack, long unknown) {

    /** Returns the account of a whole run of which only the draws are known: at most as many distinct numbers as the counter rose by. */
    public static Conservation ofRun(long distinct, long start, long next) {
        long reserved = Math.subtractExact(next, start);
        return new Conservation(reserved, distinct, 0, 0, reserved);
    }

    /** Describes what does not add up; empty if all does. */
    public List<String> faults() {
        String terms =
                reserved + " numbers reserved; " + dealt + " dealt, " + lost + " lost, " + givenBack + " given back";
        long accounted = Math.addExact(Math.addExact(dealt, lost), givenBack);
        if (accounted > reserved) {
            return List.of(terms + ": " + (accounted - reserved) + " more than were reserved");
        }
        if (reserved - accounted > unknown) {
            return List.of(terms + ", " + unknown + " unknown: " + (reserved - accounted - unknown) + " vanished");
        }
        return List.of();
    }
}
