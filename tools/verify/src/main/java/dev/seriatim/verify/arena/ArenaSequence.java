// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.arena;

import dev.seriatim.cli.draw.DrawMode;

/**
 * A sequence 1, 2, 3, … that one generator draws from. Immutable.
 *
 * @param generator the name of what draws: that of a mode, or another generator's
 * @param mode the mode, or the one whose promise the generator pretends to keep
 * @param sequence the sequence's name
 * @param ledger the table with a row for each number that is committed; empty if the mode or the store has none
 */
public record ArenaSequence(String generator, DrawMode mode, String sequence, String ledger) {

    /** The first number of every sequence. */
    public static final long START = 1;

    /** Returns whether committed numbers are in a table. */
    public boolean hasLedger() {
        return !ledger.isEmpty();
    }
}
