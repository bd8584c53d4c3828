// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.AmbiguousTimeoutException;
import com.couchbase.client.core.error.AuthenticationFailureException;
import com.couchbase.client.core.error.BucketNotFoundException;
import com.couchbase.client.core.error.CasMismatchException;
import com.couchbase.client.core.error.CollectionNotFoundException;
import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.DocumentLockedException;
import com.couchbase.client.core.error.DocumentNotFoundException;
import com.couchbase.client.core.error.DurabilityAmbiguousException;
import com.couchbase.client.core.error.DurabilityImpossibleException;
import com.couchbase.client.core.error.DurabilityLevelNotAvailableException;
import com.couchbase.client.core.error.DurableWriteInProgressException;
import com.couchbase.client.core.error.DurableWriteReCommitInProgressException;
import com.couchbase.client.core.error.FeatureNotAvailableException;
import com.couchbase.client.core.error.RequestCanceledException;
import com.couchbase.client.core.error.ScopeNotFoundException;
import com.couchbase.client.core.error.TemporaryFailureException;
import com.couchbase.client.core.error.TimeoutException;
import com.couchbase.client.core.error.context.CancellationErrorContext;
import com.couchbase.client.core.error.subdoc.PathNotFoundException;
import com.couchbase.client.core.msg.RequestContext;
import com.couchbase.client.core.retry.BestEffortRetryStrategy;
import com.couchbase.client.core.retry.RetryAction;
import com.couchbase.client.core.retry.RetryReason;
import com.couchbase.client.core.retry.RetryStrategy;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Translates the client's exceptions into one-line messages: what failed, where, and what to do. Immutable. */
record CouchbaseFailures(String place, String durability, Duration timeout) {

    private static final Set<RetryReason> CONFLICTS = Set.of(
            RetryReason.KV_LOCKED,
            RetryReason.KV_TEMPORARY_FAILURE,
            RetryReason.KV_SYNC_WRITE_IN_PROGRESS,
            RetryReason.KV_SYNC_WRITE_RE_COMMIT_IN_PROGRESS);

    /**
     * Makes the client throw after a conflict, so that the store repeats the call. The client would repeat it until its
     * timeout, and not know whether the last attempt took effect.
     */
    static final RetryStrategy CONFLICTS_TO_US = (request, reason) -> CONFLICTS.contains(reason)
            ? CompletableFuture.completedFuture(RetryAction.noRetry())
            : BestEffortRetryStrategy.INSTANCE.shouldRetry(request, reason);

    private static final Set<RetryReason> UNREACHABLE = Set.of(
            RetryReason.ENDPOINT_NOT_AVAILABLE,
            RetryReason.ENDPOINT_NOT_WRITABLE,
            RetryReason.NODE_NOT_AVAILABLE,
            RetryReason.SERVICE_NOT_AVAILABLE,
            RetryReason.CHANNEL_CLOSED_WHILE_IN_FLIGHT);

    private static final Set<RetryReason> NOT_OPEN =
            Set.of(RetryReason.BUCKET_NOT_AVAILABLE, RetryReason.BUCKET_OPEN_IN_PROGRESS);

    /** Translates a failed call; the name is null if the call does not concern one sequence. */
    SequenceException of(@Nullable String name, CouchbaseException e) {
        if (isConflict(e)) {
            return overloaded(name, e);
        }
        if (unknown(e)) {
            return name == null ? new CommitOutcomeUnknown(e) : new CommitOutcomeUnknown(name, e);
        }
        if (name != null && (e instanceof DocumentNotFoundException || e instanceof PathNotFoundException)) {
            return new NotFound(name, place);
        }
        String misconfigured = misconfigured(e);
        if (misconfigured != null) {
            return new Misconfigured(misconfigured, e);
        }
        String what = unavailable(e);
        return name == null ? new Unavailable(what, e) : new Unavailable(name, what, e);
    }

    private String unavailable(CouchbaseException e) {
        if (!(e instanceof TimeoutException) && !(e instanceof RequestCanceledException)) {
            return place + " failed: " + oneLine(e);
        }
        if (reasons(e).stream().anyMatch(NOT_OPEN::contains)) {
            return """
                    %s could not be opened within %s ms; check that the bucket exists, that this user has access to \
                    it, and that the server is up""".formatted(place, timeout.toMillis());
        }
        return place + " did not answer within " + timeout.toMillis() + " ms (" + why(e) + ")";
    }

    /** Reports that conflicts with others lasted until the timeout. */
    SequenceException overloaded(@Nullable String name, @Nullable Throwable cause) {
        String what = """
                others kept writing to its document in %s, or held it, until its %s ms left no time for another \
                attempt; draw in blocks (ADAPTIVE), combine \
                callers (COMBINED) or wait longer""".formatted(place, timeout.toMillis());
        return name == null ? new Overloaded(what, cause) : new Overloaded(name, what, cause);
    }

    /** Reports that the caller was interrupted, possibly during a call that changes something. */
    SequenceException interrupted(@Nullable String name, boolean unknown, InterruptedException e) {
        if (unknown) {
            return name == null ? new CommitOutcomeUnknown(e) : new CommitOutcomeUnknown(name, e);
        }
        String what = "interrupted while waiting for " + place;
        return name == null ? new Unavailable(what, e) : new Unavailable(name, what, e);
    }

    /** Returns whether the server has answered that it changed nothing because of a conflict. */
    static boolean isConflict(CouchbaseException e) {
        if (e instanceof RequestCanceledException canceled) {
            return canceled.reason().innerReason() instanceof RetryReason why && CONFLICTS.contains(why);
        }
        return e instanceof CasMismatchException
                || e instanceof TemporaryFailureException
                || e instanceof DocumentLockedException
                || e instanceof DurableWriteInProgressException
                || e instanceof DurableWriteReCommitInProgressException;
    }

    /** Returns whether a change may have taken effect although the call failed. */
    private static boolean unknown(CouchbaseException e) {
        Optional<RequestContext> request = request(e);
        boolean canceledChange = e instanceof RequestCanceledException
                && request.filter(call -> !call.request().idempotent()).isPresent();
        boolean sent = request.filter(call -> call.lastDispatchedTo() == null).isEmpty();
        return e instanceof DurabilityAmbiguousException
                || ((e instanceof AmbiguousTimeoutException || canceledChange) && sent);
    }

    /** Returns whether the server has answered that it made no change, for a reason other than a conflict. */
    static boolean isRefusal(CouchbaseException e) {
        boolean unanswered = e instanceof TimeoutException
                || e instanceof RequestCanceledException
                || e instanceof DurabilityAmbiguousException;
        return !unanswered && !isConflict(e);
    }

    /** Returns the client's record of the call; empty if it made none. */
    private static Optional<RequestContext> request(CouchbaseException e) {
        return e.context() instanceof CancellationErrorContext context
                ? Optional.ofNullable(context.requestContext())
                : Optional.empty();
    }

    private static Set<RetryReason> reasons(CouchbaseException e) {
        return request(e).map(RequestContext::retryReasons).orElseGet(Set::of);
    }

    private @Nullable String misconfigured(CouchbaseException e) {
        if (e instanceof DurabilityImpossibleException) {
            return """
                    %s cannot keep a value with durability %s: too few of its nodes are available for its number of \
                    replicas; bring nodes back, lower the number of replicas, or use durability=none, which loses \
                    acknowledged values on failover""".formatted(place, durability);
        }
        if (e instanceof DurabilityLevelNotAvailableException) {
            return "%s does not support durability %s (an ephemeral bucket persists nothing); use durability=majority"
                    .formatted(place, durability);
        }
        if (e instanceof FeatureNotAvailableException) {
            return """
                    %s is on a server that lacks a feature (%s); if that is durability, use durability=none, which \
                    loses acknowledged values on failover, or \
                    use Couchbase 6.5 or later""".formatted(place, oneLine(e));
        }
        if (e.getClass().getPackage() == PathNotFoundException.class.getPackage()) {
            return "%s holds no counter (%s); check the document and the path".formatted(place, oneLine(e));
        }
        Set<RetryReason> reasons = reasons(e);
        if (e instanceof AuthenticationFailureException || reasons.contains(RetryReason.AUTHENTICATION_ERROR)) {
            return place + " rejects this user; check user and password, and that the user has read and write access";
        }
        if (e instanceof CollectionNotFoundException
                || e instanceof ScopeNotFoundException
                || e instanceof BucketNotFoundException
                || reasons.contains(RetryReason.COLLECTION_NOT_FOUND)
                || reasons.contains(RetryReason.KV_COLLECTION_OUTDATED)) {
            return place + " does not exist; create the bucket, scope and collection, or name others";
        }
        return null;
    }

    private static String why(CouchbaseException e) {
        if (!(e instanceof TimeoutException)) {
            return "the connection was lost";
        }
        Set<RetryReason> reasons = reasons(e);
        return reasons.isEmpty()
                ? "no response on an open connection"
                : reasons.stream().anyMatch(UNREACHABLE::contains)
                        ? "no connection to the node that holds the document"
                        : "repeated answer: " + reasons;
    }

    /** Returns the client's message, without the request record that it appends. */
    static String oneLine(Throwable e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        int record = message.indexOf(" {\"");
        return (record < 0 ? message : message.substring(0, record))
                .strip()
                .replaceAll("(?<!\\s)\\s*[\\r\\n]+\\s*", " ");
    }
}
