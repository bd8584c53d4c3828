// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.GaplessSequence;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The sequences of a store with transactions, including gapless ones. Each store has a subclass that opens it. Thread-safe.
 *
 * @param <T> the transaction handle
 * @param <S> the store
 */
public abstract class TransactionalSequences<T, S extends OpenStore & GaplessStore<T>> extends StoreSequences {

    /**
     * Creates the sequences of the store that {@code opening} returns, given the patience of these settings. Closing them closes the
     * store if it is {@code owned}.
     */
    protected TransactionalSequences(
            Function<Duration, S> opening, boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        super(new Builder()
                .createMissing(true)
                .closesStore(owned)
                .with(settings)
                .opening(opening));
    }

    /** Returns the underlying store; its catalogue changes, lists and removes sequences. */
    @Override
    @SuppressWarnings("unchecked") // the constructor requires it
    public final S store() {
        return (S) super.store();
    }

    /**
     * Opens a sequence whose numbers are gapless. Draw in your own transactions, or in those of {@link #inTransaction}.
     *
     * @throws dev.seriatim.SequenceException as {@link #unique(String)}
     */
    public final GaplessSequence<T> gapless(String name) {
        return gapless(name, store());
    }

    /**
     * Runs work in one transaction of the store: commits when the work returns, and rolls back when it throws. Never
     * retries automatically, unless the store's own client does.
     *
     * @throws X what the work throws
     * @throws dev.seriatim.SequenceException as the store's {@code inTransaction}
     */
    public final <R, X extends Exception> R inTransaction(TransactionScope.Work<T, R, X> work) throws X {
        checkOpenTo("run work in a transaction");
        return store().inTransaction(work);
    }
}
