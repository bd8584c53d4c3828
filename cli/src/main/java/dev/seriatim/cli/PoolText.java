// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.PoolState;
import java.io.PrintWriter;

/** A pool for people. */
final class PoolText {

    private PoolText() {}

    static void lines(PoolState pool, PrintWriter out) {
        out.println("laid out      " + pool.count());
        out.println("claimed       " + pool.claimed() + ", by transactions that are open now");
        out.println("uncommitted   "
                + (pool.lowest().isPresent() ? "from " + pool.lowest().getAsLong() : "none"));
    }
}
