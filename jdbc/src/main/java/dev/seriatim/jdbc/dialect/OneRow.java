// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.SequenceException.Misconfigured;

/** One row per sequence, or none is drawn from. */
public final class OneRow {

    private OneRow() {}

    /**
     * Checks how many rows a statement has met.
     *
     * @throws Misconfigured when there is more than one
     */
    public static void check(int rows) {
        if (rows > 1) {
            throw new Misconfigured(
                    "a sequence has more than one row in its table; remove all but one, and make the name the primary key");
        }
    }
}
