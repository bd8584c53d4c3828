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
 * A caller's work in a transaction that the client repeats while it is aborted. Not thread-safe: use one instance per
 * call.
 *
 * @param <R> the type of the result
 * @param <X> the type of the exception that the work may throw
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

    /** Runs the work until it is committed or fails; its exception is thrown unchanged, not as the client wraps it. */
    R run(TransactionRunner runner) throws X {
        try {
            return runner.run(this::attempt);
        } catch (SpannerException e) {
            if (thrown != null) {
                @SuppressWarnings("unchecked") // the work throws no other checked exception
                X own = (X) thrown;
                throw own;
            }
            throw done ? atCommit(e) : failures.general(e);
        } catch (RetryHelperException e) {
            throw failures.interrupted(e);
        }
    }

    /**
     * The client repeats the work if this transaction has been aborted, even if the work throws another exception, because it has seen
     * the abort itself. It would do the same after any other {@link AbortedException}, so those are shielded.
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
