// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CasMismatchException;
import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.DocumentLockedException;
import com.couchbase.client.core.error.DurableWriteInProgressException;
import com.couchbase.client.core.error.DurableWriteReCommitInProgressException;
import com.couchbase.client.core.error.RequestCanceledException;
import com.couchbase.client.core.error.TemporaryFailureException;
import com.couchbase.client.core.msg.Request;
import com.couchbase.client.core.msg.Response;
import com.couchbase.client.core.retry.BestEffortRetryStrategy;
import com.couchbase.client.core.retry.RetryAction;
import com.couchbase.client.core.retry.RetryReason;
import com.couchbase.client.core.retry.RetryStrategy;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Transient errors: the server has answered that it changed nothing because of a conflict.
 *
 * <p>By default, the client repeats such a call until its timeout, and then does not know whether the last attempt took
 * effect. As its retry strategy, this class makes the client throw instead, and the store repeats the call.
 * Thread-safe.
 */
final class TransientErrors implements RetryStrategy {

    static final TransientErrors TO_US = new TransientErrors();

    private static final Set<RetryReason> REASONS = Set.of(
            RetryReason.KV_LOCKED,
            RetryReason.KV_TEMPORARY_FAILURE,
            RetryReason.KV_SYNC_WRITE_IN_PROGRESS,
            RetryReason.KV_SYNC_WRITE_RE_COMMIT_IN_PROGRESS);

    private TransientErrors() {}

    @Override
    public CompletableFuture<RetryAction> shouldRetry(Request<? extends Response> request, RetryReason reason) {
        return REASONS.contains(reason)
                ? CompletableFuture.completedFuture(RetryAction.noRetry())
                : BestEffortRetryStrategy.INSTANCE.shouldRetry(request, reason);
    }

    /** Returns whether a call failed with a transient error. */
    static boolean is(CouchbaseException e) {
        if (e instanceof RequestCanceledException canceled) {
            return canceled.reason().innerReason() instanceof RetryReason why && REASONS.contains(why);
        }
        return e instanceof CasMismatchException
                || e instanceof TemporaryFailureException
                || e instanceof DocumentLockedException
                || e instanceof DurableWriteInProgressException
                || e instanceof DurableWriteReCommitInProgressException;
    }
}
