// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.plot;

/**
 * How a line and its marks look. Immutable and thread-safe.
 *
 * @param colour one of the palette: 0 … 9
 * @param mark the shape at its points
 */
public record Look(int colour, Mark mark) {

    /** How many colours the palette has. */
    public static final int COLOURS = 10;

    /** Checks the colour. */
    public Look {
        if (colour < 0 || colour >= COLOURS) {
            throw new IllegalArgumentException("colour must be 0 … " + (COLOURS - 1) + ", not " + colour);
        }
    }
}
