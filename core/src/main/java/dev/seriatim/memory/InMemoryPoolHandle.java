// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.store.Pool;
import java.util.List;

/** A handle on the pool of a sequence in memory. Thread-safe. */
final class InMemoryPoolHandle implements Pool<InMemoryTransaction> {

    private final InMemoryStore store;
    private final String name;
    private volatile long seen;

    InMemoryPoolHandle(InMemoryStore store, String name) {
        this.store = store;
        this.name = name;
    }

    @Override
    public Claim claim(InMemoryTransaction transaction, int count) {
        return seen == 0 ? new Claim(List.of(), 0, false) : store.claim(transaction, name, count);
    }

    @Override
    public Extent layOut(long count) {
        Extent extent = store.layOut(name, count, seen);
        seen = extent.last();
        return extent;
    }
}
