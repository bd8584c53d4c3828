// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a comparison of a table with its feed has found. Immutable.
 *
 * @param rowsWithoutEntry rows of the table that have no position and do not wait for one
 * @param entriesWithoutRow entries whose row is gone
 * @param keysTwice entries whose key has an earlier entry
 * @param missingPositions gaps between the first position and the last
 * @param trimmed positions below the first one
 * @param fromNow whether the feed has left out rows that existed when it was made
 * @param broken what is wrong with the trigger or the view
 */
public record FeedCheck(
        long rowsWithoutEntry,
        long entriesWithoutRow,
        long keysTwice,
        long missingPositions,
        long trimmed,
        boolean fromNow,
        Optional<String> broken) {

    /** Returns whether rows without an entry may have had one, or were left out on purpose. */
    public boolean incomplete() {
        return fromNow || trimmed > 0;
    }

    /** Returns what breaks a promise of the feed, a line each; empty if all is well. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>(broken.stream().toList());
        if (rowsWithoutEntry > 0 && !incomplete()) {
            faults.add(withoutEntry() + "the trigger did not run");
        }
        if (missingPositions > 0) {
            faults.add(counted(missingPositions, "position is", "positions are") + " missing");
        }
        return faults;
    }

    /** Returns what is allowed but worth knowing, a line each. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (rowsWithoutEntry > 0 && incomplete()) {
            notes.add(withoutEntry() + (fromNow ? "older than the feed" : "trimmed") + ", or the trigger did not run");
        }
        if (entriesWithoutRow > 0) {
            notes.add(counted(entriesWithoutRow, "entry names", "entries name") + " a row that is gone");
        }
        if (keysTwice > 0) {
            notes.add(counted(keysTwice, "entry names", "entries name") + " a key that an earlier entry names");
        }
        return notes;
    }

    private String withoutEntry() {
        return counted(rowsWithoutEntry, "row has", "rows have") + " no entry: ";
    }

    private static String counted(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}
