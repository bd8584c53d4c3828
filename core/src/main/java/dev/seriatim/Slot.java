// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import org.jspecify.annotations.Nullable;

/** The place of the one transaction that callers join, from its beginning to its end. Under the line's lock. */
final class Slot {

    private long stepBegan = System.nanoTime();

    /** The thread that runs its unit in it. */
    @Nullable
    Thread worker;

    /** It has been left behind: whatever hangs in it does not keep the next transaction from beginning. */
    boolean givenUp;

    /** The next step begins: the transaction's beginning, a unit, or its end. */
    void step(@Nullable Thread by) {
        stepBegan = System.nanoTime();
        worker = by;
    }

    long stepLasts() {
        return System.nanoTime() - stepBegan;
    }
}
