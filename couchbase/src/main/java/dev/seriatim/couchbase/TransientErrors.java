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
 * What passes by itself: the server has answered that it did nothing, since others are in the way.
 *
 * <p>The client would repeat such a call until its time is up, and then could not tell whether the last attempt took effect.
 * So it is told to give these answers to us, who repeat the call. Thread-safe.
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

    /** Whether a call failed in this way. */
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
