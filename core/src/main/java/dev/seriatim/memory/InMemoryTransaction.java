// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A transaction of an {@link InMemoryStore}; see {@link InMemoryStore#inTransaction}. Not thread-safe. */
public final class InMemoryTransaction {

    /** The locked rows, with their state before this transaction. */
    final Map<InMemoryRow, SequenceState> before = new LinkedHashMap<>();

    /** The claimed places, by pool. */
    final Map<InMemoryPool, List<Long>> claims = new LinkedHashMap<>();

    private final List<Runnable> onCommit = new ArrayList<>();

    boolean ended;

    /** Whether several callers work in it, of which none ends it. */
    boolean shared;

    InMemoryTransaction() {}

    /**
     * Runs {@code effect} at commit, but not on rollback: for what a caller keeps in memory together with its numbers.
     * Runs while the counters are still locked, so in the order of the transactions; must not throw.
     */
    public void onCommit(Runnable effect) {
        onCommit.add(effect);
    }

    /** Ends the transaction and releases its rows, unless it has ended. */
    void end(boolean committed) {
        if (ended) {
            return;
        }
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
