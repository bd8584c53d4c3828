// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.draw;

import dev.seriatim.Block;

/** A sequence that reports numbers lost which it has dealt to a view, and which the view could not show. */
public interface Losing {

    /** Reports values of this sequence lost. */
    void lose(Block values);
}
