// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;

/** A transaction that callers share, with the counter's cell locked. Used by one thread at a time. */
record SharedAttempt(
        TransactionManager manager,
        TransactionContext transaction,
        SequenceState counter,
        Cells cells,
        SpannerFailures failures)
        implements SharedTransaction<TransactionContext> {

    /** Until the transaction ends, only the turns of the group move the counter. */
    SharedAttempt {
        Attempt.of(transaction).dealByTurns(cells.row(counter.definition().name()));
    }

    @Override
    public TransactionContext handle(Drawn drawn) {
        return transaction;
    }

    /**
     * Asks the client whether this transaction was aborted: a unit may have met another's abort, or hidden this one's.
     */
    @Override
    public Blame blame(Throwable thrown) {
        try {
            // There is no other way to find out. The new attempt is never used, and costs no call: this one had begun.
            manager.resetForRetry();
            return Blame.OTHER_SESSION;
        } catch (RuntimeException notAborted) {
            return Blame.UNIT;
        }
    }

    @Override
    public void commit(SequenceState after) {
        Attempt.of(transaction).end();
        try (manager) {
            if (!after.equals(counter)) {
                transaction.buffer(cells.move(counter, after));
            }
            manager.commit();
        } catch (SpannerException e) {
            throw failures.atCommit(counter.definition().name(), e);
        }
    }

    @Override
    public void rollback() {
        Attempt.of(transaction).end();
        try {
            manager.close();
        } catch (RuntimeException e) {
            // The server ends the transaction later, and releases its locks.
        }
    }
}
