// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.Sequences;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.OpenStore;
import java.util.function.Consumer;

/**
 * The sequences of a store with transactions, so that gapless ones are among them. Each store has a class of its own, which says how it
 * is opened.
 *
 * <p>Thread-safe.
 *
 * @param <T> the handle of a transaction
 * @param <S> the store
 */
public abstract class TransactionalSequences<T, S extends OpenStore & GaplessStore<T>> implements Sequences {

    private final S store;
    private final StoreSequences sequences;

    /**
     * The sequences of a store; those that are missing are made, unless the settings say otherwise.
     *
     * @param owned whether closing the sequences closes the store
     */
    protected TransactionalSequences(S store, boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        this.store = store;
        sequences = StoreSequences.builder(store)
                .createMissing(true)
                .closesStore(owned)
                .with(settings)
                .build();
    }

    /** The store below: its catalogue changes, lists and removes sequences. */
    public final S store() {
        return store;
    }

    @Override
    public final boolean define(SequenceDefinition definition) {
        return sequences.define(definition);
    }

    @Override
    public final Sequence unique(String name) {
        return sequences.unique(name);
    }

    @Override
    public final Sequence ordered(String name) {
        return sequences.ordered(name);
    }

    /**
     * Opens a sequence whose numbers are gapless: they are drawn in transactions of the caller, or of {@link #inTransaction}.
     *
     * @throws dev.seriatim.SequenceException as {@link #unique(String)}
     * @throws IllegalStateException when closed
     */
    public final GaplessSequence<T> gapless(String name) {
        return sequences.gapless(name, store);
    }

    @Override
    public final Sequence open(String name, Allocation allocation) {
        return sequences.open(name, allocation);
    }

    /**
     * Runs work in one transaction of the store: committed when it returns, rolled back when it throws. Never repeated by itself, unless
     * the store's own client does.
     *
     * @throws X what the work throws
     * @throws dev.seriatim.SequenceException as the store's {@code inTransaction}
     */
    public final <R, X extends Exception> R inTransaction(GaplessStore.Work<T, R, X> work) throws X {
        return store.inTransaction(work);
    }

    /** Closes every sequence that is open, and the store, if these sequences opened it. */
    @Override
    public final void close() {
        sequences.close();
    }

    @Override
    public String toString() {
        return "sequences of " + store;
    }
}
