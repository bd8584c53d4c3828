// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Many draws in one transaction: takes a block with the first and puts its unused end back on closing. Not thread-safe.
 *
 * <p>The counter is moved ahead at once and back at the end, not read first and written last: so a caller who forgets to
 * close leaves a gap, where the other order would leave numbers that are dealt twice.
 */
final class WithinTransaction<T> implements Sequence {

    private final TransactionalStore<T> store;
    private final String name;
    private final T transaction;

    private @Nullable Reservation reservation;
    private long used;
    private boolean closed;

    WithinTransaction(TransactionalStore<T> store, String name, T transaction) {
        this.store = store;
        this.name = name;
        this.transaction = transaction;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long next() {
        return take(1).first();
    }

    @Override
    public Block next(int count) {
        return take(Counts.checked(name, count));
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return CompletableFuture.completedFuture(next());
    }

    @Override
    public Sequence local() {
        throw new UnsupportedOperationException("sequence " + SequenceException.quoted(name)
                + " is drawn inside a transaction and stays gapless and ordered; use it directly instead of local()");
    }

    @Override
    public void close() {
        closed = true;
        putBack();
    }

    private Block take(long count) {
        if (closed) {
            throw new IllegalStateException("sequence " + SequenceException.quoted(name)
                    + " was closed for this transaction; call within(transaction) again");
        }
        if (reservation == null || left() < count) {
            putBack(); // what is left goes back first, so that the piece is contiguous and nothing is skipped
            reservation = store.reserve(transaction, name, count == 1 ? SequenceStore.CACHE : count);
            used = 0;
        }
        Block taken = reservation.block().slice(used, Math.min(count, left()));
        used += taken.count();
        return taken;
    }

    private long left() {
        return reservation == null ? 0 : reservation.block().count() - used;
    }

    private void putBack() {
        if (reservation != null && left() > 0) {
            store.giveBack(transaction, name, reservation.block().tail(used), reservation.epoch());
        }
        reservation = null;
    }
}
