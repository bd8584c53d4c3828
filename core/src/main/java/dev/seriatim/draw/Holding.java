// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.draw;

/** A sequence that reports how many values it holds. */
public interface Holding {

    /** Returns how many reserved values are left to deal; while others draw, an estimate. */
    long inHand();
}
