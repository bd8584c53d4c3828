// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.cli.draw.DrawMode;

/**
 * A sequence 1, 2, 3, … for one generator. Immutable.
 *
 * @param generator the name of a mode or of a control
 * @param mode the mode whose promise the generator makes
 * @param ledger the table with a row for each committed number; empty if the mode or the store has none
 */
record ArenaSequence(String generator, DrawMode mode, String sequence, String ledger) {

    static final long START = 1;

    boolean hasLedger() {
        return !ledger.isEmpty();
    }
}
