// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The sequences of a store with transactions, including gapless ones. Each store has a subclass that defines how to
 * open it.
 *
 * <p>Thread-safe.
 *
 * @param <T> the transaction handle
 * @param <S> the store
 */
public abstract class TransactionalSequences<T, S extends OpenStore & GaplessStore<T>> implements StoredSequences {

    private final S store;
    private final StoreSequences sequences;

    /**
     * Creates the sequences of a store. By default, opening a sequence that does not exist creates it.
     *
     * @param owned whether closing the sequences closes the store
     */
    protected TransactionalSequences(S store, boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        this.store = store;
        try {
            sequences = builder(owned, settings).store(store).build();
        } catch (Throwable refused) {
            if (owned) {
                store.close();
            }
            throw refused;
        }
    }

    /**
     * Opens a store with the patience of these settings, and creates its sequences. Closing them closes the store.
     *
     * @param opening opens the store with this patience
     */
    protected TransactionalSequences(Function<Duration, S> opening, Consumer<? super StoreSequences.Builder> settings) {
        StoreSequences.Builder builder = builder(true, settings);
        store = opening.apply(builder.patience());
        sequences = builder.store(store).build();
    }

    private static StoreSequences.Builder builder(boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        return new StoreSequences.Builder()
                .createMissing(true)
                .closesStore(owned)
                .with(settings);
    }

    /** Returns the underlying store; its catalogue changes, lists and removes sequences. */
    @Override
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
     * Opens a sequence whose numbers are gapless. They are drawn in the caller's transactions, or in those of
     * {@link #inTransaction}.
     *
     * @throws dev.seriatim.SequenceException as {@link #unique(String)}
     * @throws IllegalStateException if closed
     */
    public final GaplessSequence<T> gapless(String name) {
        return sequences.gapless(name, store);
    }

    @Override
    public final Sequence open(String name, Allocation allocation) {
        return sequences.open(name, allocation);
    }

    @Override
    public final List<OpenSequence> opened() {
        return sequences.opened();
    }

    /**
     * Runs work in one transaction of the store: commits when the work returns, and rolls back when it throws. Never
     * retries automatically, unless the store's own client does.
     *
     * @throws X what the work throws
     * @throws dev.seriatim.SequenceException as the store's {@code inTransaction}
     * @throws IllegalStateException if closed
     */
    public final <R, X extends Exception> R inTransaction(TransactionScope.Work<T, R, X> work) throws X {
        sequences.checkOpenTo("run work in a transaction");
        return store.inTransaction(work);
    }

    /** Closes all open sequences, and the store if these sequences opened it. */
    @Override
    public final void close() {
        sequences.close();
    }

    @Override
    public String toString() {
        return "sequences of " + store;
    }
}
