// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

/**
 * The number's part of a pattern. Immutable and thread-safe.
 *
 * @param width exactly so many digits, or {@link #ANY}
 * @param max the longest text with what is around it, or {@link Integer#MAX_VALUE}
 */
record NumberField(int width, Radix radix, CheckDigits check, int max) {

    static final int ANY = 0;

    /** How many characters it has at least. */
    int shortest() {
        return Math.max(1, width) + check.length();
    }
}
