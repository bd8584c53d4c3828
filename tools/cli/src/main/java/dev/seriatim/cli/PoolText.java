// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import java.io.PrintWriter;
import java.util.Optional;

/** Prints the state of a pool as text. */
final class PoolText {

    private PoolText() {}

    /** Returns the pool of a sequence; empty if it has none. */
    static Optional<PoolState> of(OpenStore store, String name) {
        return store instanceof PoolingStore<?> pooling ? pooling.poolState(name) : Optional.empty();
    }

    static void lines(PoolState pool, PrintWriter out) {
        out.println("laid out      " + pool.count());
        out.println("claimed       " + pool.claimed() + ", by open transactions");
        out.println("uncommitted   "
                + (pool.lowest().isPresent() ? "from " + pool.lowest().getAsLong() : "none"));
    }
}
