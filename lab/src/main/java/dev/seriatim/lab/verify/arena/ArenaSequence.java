// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.arena;

import dev.seriatim.cli.draw.DrawMode;

/**
 * The sequence of one mode, 1, 2, 3, … Immutable.
 *
 * @param mode the mode
 * @param sequence the sequence's name
 * @param ledger the table with a row for each number that is committed; empty if the mode or the store has none
 */
public record ArenaSequence(DrawMode mode, String sequence, String ledger) {

    /** The first number of every sequence. */
    public static final long START = 1;

    /** Returns whether committed numbers are in a table. */
    public boolean hasLedger() {
        return !ledger.isEmpty();
    }
}
