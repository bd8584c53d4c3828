// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceState;
import dev.seriatim.SharedTransaction;

/** A transaction that callers share, with the counter's cell locked in it. Used by one thread at a time. */
final class SharedAttempt implements SharedTransaction<TransactionContext> {

    private final TransactionManager manager;
    private final TransactionContext transaction;
    private final SequenceState counter;
    private final Cells cells;
    private final CallersDraws draws;
    private final Failures failures;

    SharedAttempt(
            TransactionManager manager,
            TransactionContext transaction,
            SequenceState counter,
            Cells cells,
            CallersDraws draws,
            Failures failures) {
        this.manager = manager;
        this.transaction = transaction;
        this.counter = counter;
        this.cells = cells;
        this.draws = draws;
        this.failures = failures;
    }

    @Override
    public TransactionContext handle(Drawn drawn) {
        return transaction;
    }

    @Override
    public SequenceState counter() {
        return counter;
    }

    @Override
    public Blame blame(Throwable thrown) {
        return Failures.abort(thrown).isPresent() ? Blame.OTHER_SESSION : Blame.UNIT;
    }

    @Override
    public void commit(SequenceState after) {
        try (manager) {
            if (draws.counter(transaction, name()).isPresent()) {
                throw new Misconfigured(
                        name(),
                        "a unit of work moved its counter by other means than its turn, nothing was committed; draw with the turn only");
            }
            if (!after.equals(counter)) {
                transaction.buffer(cells.move(counter, after));
            }
            manager.commit();
        } catch (SpannerException e) {
            throw failures.atCommit(name(), e);
        }
    }

    @Override
    public void rollback() {
        try {
            manager.close();
        } catch (SpannerException e) {
            // The server ends it by itself, and its locks with it.
        }
    }

    private String name() {
        return counter.definition().name();
    }
}
