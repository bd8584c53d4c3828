// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** In-memory pools with hooks before and after laying out, and one that determines what a claim sees. */
final class HookedPools implements PoolingStore<InMemoryTransaction> {

    /** Runs at a step; may wait, throw, or do something in between. */
    interface Hook {
        void at(long count) throws InterruptedException;
    }

    final InMemoryStore memory = new InMemoryStore();

    /** The counts requested. */
    final List<Long> asked = new CopyOnWriteArrayList<>();

    volatile Hook before = count -> {};
    volatile Hook after = count -> {};
    volatile boolean blind;

    HookedPools() {
        memory.create(SequenceDefinition.of("s"));
    }

    long drawn(PooledSequence<InMemoryTransaction> sequence) {
        return memory.<Long, RuntimeException>inTransaction(sequence::next);
    }

    @Override
    public Pool<InMemoryTransaction> pool(String name) {
        Pool<InMemoryTransaction> pool = memory.pool(name);
        return new Pool<>() {
            @Override
            public Claim claim(InMemoryTransaction transaction, int count) {
                return blind ? new Claim(List.of(), 0, true) : pool.claim(transaction, count);
            }

            @Override
            public Extent layOut(long count) {
                asked.add(count);
                run(before, count);
                Extent extent = pool.layOut(count);
                run(after, count);
                return extent;
            }
        };
    }

    @Override
    public Optional<PoolState> poolState(String name) {
        return memory.poolState(name);
    }

    @Override
    public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
        return memory.reserve(transaction, name, count);
    }

    @Override
    public Reservation reserve(InMemoryTransaction transaction, String name, long count, Duration patience) {
        return memory.reserve(transaction, name, count, patience);
    }

    private static void run(Hook hook, long count) {
        try {
            hook.at(count);
        } catch (InterruptedException e) {
            throw new AssertionError("a thread that lays out must never be interrupted", e);
        }
    }
}
