// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionRunner;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.TransactionScope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Work of a caller's in a transaction that the client repeats as long as it is aborted. Not thread-safe: made for one call.
 *
 * @param <R> what it returns
 * @param <X> what it throws
 */
final class CallersWork<R, X extends Exception> {

    private final TransactionScope.Work<TransactionContext, R, X> work;
    private final Failures failures;
    private @Nullable Exception thrown;

    CallersWork(TransactionScope.Work<TransactionContext, R, X> work, Failures failures) {
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
            throw atCommit(e);
        }
    }

    private R attempt(TransactionContext transaction) throws Exception {
        thrown = null;
        try {
            return work.run(transaction);
        } catch (Exception e) {
            Optional<AbortedException> abort = Failures.abort(e);
            if (abort.isPresent()) {
                throw abort.get();
            }
            thrown = e;
            throw e;
        }
    }

    private SequenceException atCommit(SpannerException e) {
        return Failures.nothingCommitted(e) ? failures.general(e) : new CommitOutcomeUnknown(e);
    }
}
