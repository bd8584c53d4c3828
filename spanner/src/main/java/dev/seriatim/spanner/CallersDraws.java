// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.Reservation;
import dev.seriatim.SequenceState;
import dev.seriatim.SequenceStore;
import dev.seriatim.TransactionalStore;
import java.util.Optional;

/**
 * Draws in transactions of the caller's, as many numbers as it wants: the cell is read once per attempt, locked; from then on
 * the counter moves in memory, and each move is buffered as a write. Thread-safe.
 */
final class CallersDraws implements TransactionalStore<TransactionContext> {

    private final Cells cells;
    private final Failures failures;
    private final Attempts attempts = new Attempts();

    CallersDraws(Cells cells, Failures failures) {
        this.cells = cells;
        this.failures = failures;
    }

    @Override
    public Reservation reserve(TransactionContext transaction, String name, long count) {
        SequenceStore.checkCount(name, count);
        SequenceState before = counter(transaction, name).orElseGet(() -> locked(transaction, name));
        SequenceState.Taken taken = before.take(count);
        move(transaction, before, taken.after());
        return taken.reservation();
    }

    /** How far this attempt has drawn a sequence; empty when it has not. */
    Optional<SequenceState> counter(TransactionContext transaction, String name) {
        return attempts.counter(transaction, name);
    }

    /** The counter, locked until the transaction ends. An abort goes through as it is: the client's loop waits for it. */
    private SequenceState locked(TransactionContext transaction, String name) {
        try {
            return cells.locked(transaction, name);
        } catch (AbortedException e) {
            throw e;
        } catch (SpannerException e) {
            throw failures.of(name, e);
        }
    }

    private void move(TransactionContext transaction, SequenceState before, SequenceState after) {
        transaction.buffer(cells.move(before, after));
        attempts.moved(transaction, after);
    }
}
