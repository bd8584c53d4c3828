// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/**
 * The look of a line and its marks. Immutable.
 *
 * @param colour the index in the palette, from 0 to 9
 * @param mark the shape of its points
 */
public record Look(int colour, Mark mark) {

    /** Number of colours in the palette. */
    public static final int COLOURS = 10;

    /** Checks the colour. */
    public Look {
        if (colour < 0 || colour >= COLOURS) {
            throw new IllegalArgumentException("colour must be 0 … " + (COLOURS - 1) + ", not " + colour);
        }
    }
}
