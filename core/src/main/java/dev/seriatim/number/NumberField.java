// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

/**
 * The field for the number in a pattern. Immutable and thread-safe.
 *
 * @param width the exact number of digits, or {@link #ANY}
 * @param max maximum length of the whole text, or {@link Integer#MAX_VALUE}
 */
record NumberField(int width, Radix radix, CheckDigits check, int max) {

    static final int ANY = 0;

    /** Returns its minimum number of characters. */
    int shortest() {
        return Math.max(1, width) + check.length();
    }
}
