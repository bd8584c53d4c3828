// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.SessionNotFoundException;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.TransactionalStore;
import java.util.Optional;
import java.util.function.Function;

/**
 * Draws any number of values in the caller's transactions. The cells are read and locked once per attempt. After that,
 * the counter moves in memory, and each move is buffered as a write. Thread-safe, even if threads share a transaction.
 */
final class CallersDraws implements TransactionalStore<TransactionContext> {

    private final Cells cells;
    private final SpannerFailures failures;

    CallersDraws(Cells cells, SpannerFailures failures) {
        this.cells = cells;
        this.failures = failures;
    }

    @Override
    public Reservation reserve(TransactionContext transaction, String name, long count) {
        SequenceStore.checkCount(name, count);
        return alone(transaction, name, attempt -> {
            if (attempt.isDealtByTurns(cells.row(name))) {
                throw new Misconfigured(
                        name, "a unit of work draws from it without its turn; draw only through the turn");
            }
            SequenceState before = counter(attempt, name).orElseGet(() -> locked(transaction, attempt, name));
            SequenceState.Taken taken = before.take(count);
            move(transaction, attempt, before, taken.after());
            return taken.reservation();
        });
    }

    /** Draws in an open transaction while no other thread does. */
    <R> R alone(TransactionContext transaction, String name, Function<Attempt, R> draw) {
        Attempt attempt = Attempt.of(transaction);
        return attempt.alone(name, failures, () -> {
            try {
                cells.requireOpen(transaction, name);
                return draw.apply(attempt);
            } catch (IllegalStateException e) { // the only sign of an ended transaction that the client gives
                throw failures.ended(name, e);
            }
        });
    }

    /**
     * Returns draws that refuse a second one in a transaction. The published simple generator, which keeps no state,
     * would deal the same value twice, because later reads do not see a buffered write.
     */
    TransactionalStore<TransactionContext> once() {
        return (transaction, name, count) -> alone(transaction, name, attempt -> {
            if (attempt.hasDrawn(cells.row(name))) {
                throw new Misconfigured(name, """
                        this transaction has already drawn from it, and its own reads do not see buffered writes; draw \
                        once per transaction, or from the store itself, which remembers its draws""");
            }
            return reserve(transaction, name, count);
        });
    }

    private Optional<SequenceState> counter(Attempt attempt, String name) {
        return attempt.written(cells.row(name), cells.numberColumns()).map(numbers -> cells.state(name, numbers));
    }

    /**
     * Returns the counter, locked until the transaction ends. Throws the client's own exception if its loop must see
     * it: after an abort, and if the server has forgotten the session.
     */
    private SequenceState locked(TransactionContext transaction, Attempt attempt, String name) {
        try {
            long[] read = cells.lockedNumbers(transaction, name);
            return cells.state(name, attempt.seen(cells.row(name), cells.numberColumns(), read));
        } catch (AbortedException | SessionNotFoundException e) {
            throw e;
        } catch (SpannerException e) {
            throw failures.of(name, e);
        }
    }

    private void move(TransactionContext transaction, Attempt attempt, SequenceState before, SequenceState after) {
        transaction.buffer(cells.move(before, after));
        attempt.write(
                cells.row(after.definition().name()),
                cells.numberColumns(),
                cells.layout().numbers(after));
    }
}
