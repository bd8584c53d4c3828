// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.io.PrintWriter;

/** A part of a section, which writes itself in every format that shows it. */
interface Part {

    /** Returns whether there is nothing to show. */
    default boolean isEmpty() {
        return false;
    }

    /** Prints it for a terminal. */
    default void print(PrintWriter out) {}

    /** Appends it to a page. */
    void append(Page page);
}
