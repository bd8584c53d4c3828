// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** The look of a line and its marks; the colour is an index in the palette, from 0 to 9. Immutable. */
public record Look(int colour, Mark mark) {

    public Look {
        if (colour < 0 || colour > 9) {
            throw new IllegalArgumentException("colour must be 0 … 9, not " + colour);
        }
    }
}
