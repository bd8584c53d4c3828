// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.RetryHelper.RetryHelperException;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionRunner;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.store.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * Work of a caller's in a transaction that the client repeats as long as it is aborted. Not thread-safe: made for one call.
 *
 * @param <R> what it returns
 * @param <X> what it throws
 */
final class CallersWork<R, X extends Exception> {

    private final TransactionScope.Work<TransactionContext, R, X> work;
    private final SpannerFailures failures;
    private @Nullable Exception thrown;
    private boolean done;

    CallersWork(TransactionScope.Work<TransactionContext, R, X> work, SpannerFailures failures) {
        this.work = work;
        this.failures = failures;
    }

    /** Runs it until it is committed, or throws; what it throws comes out as it was thrown, not as the client wraps it. */
    R run(TransactionRunner runner) throws X {
        try {
            return runner.run(this::attempt);
        } catch (SpannerException e) {
            if (thrown != null) {
                @SuppressWarnings("unchecked") // the work throws nothing else that is checked
                X own = (X) thrown;
                throw own;
            }
            throw done ? atCommit(e) : failures.general(e);
        } catch (RetryHelperException e) {
            throw failures.interrupted(e);
        }
    }

    /**
     * The client repeats the work when this transaction has been aborted, whatever the work throws: it has seen that itself.
     * It would do the same after any {@link AbortedException}, so that one goes shielded.
     */
    private R attempt(TransactionContext transaction) throws Exception {
        thrown = null;
        done = false;
        try {
            R result = work.run(transaction);
            done = true;
            return result;
        } catch (AbortedException e) {
            thrown = e;
            throw new Shielded(e);
        } catch (Exception e) {
            thrown = e;
            throw e;
        } finally {
            Attempt.of(transaction).end();
        }
    }

    private SequenceException atCommit(SpannerException e) {
        return SpannerFailures.nothingCommitted(e) ? failures.general(e) : new CommitOutcomeUnknown(e);
    }
}
