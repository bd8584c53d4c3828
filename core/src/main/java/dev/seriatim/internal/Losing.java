// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

import dev.seriatim.Block;

/** A sequence that reports as lost the numbers it dealt to a view that could not convert them. */
public interface Losing {

    /** Reports values of this sequence as lost. */
    void lose(Block values);
}
