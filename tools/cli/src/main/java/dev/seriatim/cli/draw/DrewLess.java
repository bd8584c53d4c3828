// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.SequenceException;

/** Thrown when drawing ended early; says why, and how many numbers were drawn. */
public final class DrewLess extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DrewLess(SequenceException why, long drawn, long wanted) {
        super(why.getMessage() + " (" + drawn + " of " + wanted + " drawn)", why);
    }
}
