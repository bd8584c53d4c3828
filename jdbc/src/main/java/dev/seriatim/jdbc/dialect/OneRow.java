// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.SequenceException.Misconfigured;

/** Verifies that a sequence has no more than one row; otherwise nothing is drawn. */
public final class OneRow {

    private OneRow() {}

    /**
     * Checks how many rows a statement matched.
     *
     * @throws Misconfigured if there is more than one
     */
    public static void check(int rows) {
        if (rows > 1) {
            throw new Misconfigured(
                    "a sequence has more than one row in its table; delete all but one, and make the name the primary key");
        }
    }
}
