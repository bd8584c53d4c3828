// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.UnitStart;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.TransactionalSequence;

/** Draws directly from a store while its sequences are open. Thread-safe. */
final class GaplessDraws<T> implements GaplessSequence<T> {

    private final StoreSequences sequences;
    private final GaplessStore<T> store;
    private final TransactionalSequence<T> draws;

    GaplessDraws(StoreSequences sequences, GaplessStore<T> store, TransactionalSequence<T> draws) {
        this.sequences = sequences;
        this.store = store;
        this.draws = draws;
    }

    @Override
    public String name() {
        return draws.name();
    }

    @Override
    public long next(T transaction) {
        sequences.checkOpen(name());
        return draws.next(transaction);
    }

    @Override
    public Block next(T transaction, int count) {
        sequences.checkOpen(name());
        return draws.next(transaction, count);
    }

    @Override
    public Sequence within(T transaction) {
        sequences.checkOpen(name());
        return draws.within(transaction);
    }

    @Override
    public GroupedSequence<T> grouped() {
        return sequences.grouped(name(), store);
    }

    @Override
    public GroupedSequence<T> grouped(UnitStart<? super T> start) {
        return sequences.grouped(name(), store, start);
    }

    @Override
    public PooledSequence<T> pooled() {
        return sequences.pooled(name(), store);
    }

    @Override
    public String toString() {
        return draws.toString();
    }
}
