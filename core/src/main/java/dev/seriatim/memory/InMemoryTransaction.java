// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A transaction of an {@link InMemoryStore}; see {@link InMemoryStore#inTransaction}. Not thread-safe. */
public final class InMemoryTransaction {

    /** The rows it holds, and what they were before. */
    final Map<InMemoryRow, SequenceState> before = new LinkedHashMap<>();

    /** What it has claimed: places, by pool. */
    final Map<InMemoryPool, List<Long>> claims = new LinkedHashMap<>();

    private final List<Runnable> onCommit = new ArrayList<>();

    boolean ended;

    InMemoryTransaction() {}

    /**
     * Does something with the commit, and not at all when there is none: for what a caller keeps in memory beside its
     * numbers. Runs while the counters are still locked, so in the order of the transactions; must not throw.
     */
    public void onCommit(Runnable effect) {
        onCommit.add(effect);
    }

    /** Ends it, and lets go of its rows. */
    void end(boolean committed) {
        ended = true;
        try {
            if (committed) {
                onCommit.forEach(Runnable::run);
            } else {
                before.forEach((row, state) -> row.state = state);
            }
        } finally {
            before.keySet().forEach(InMemoryRow::unlock);
            claims.forEach((pool, places) -> pool.settle(places, committed));
        }
    }
}
