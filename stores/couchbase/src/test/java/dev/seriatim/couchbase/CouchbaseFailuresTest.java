// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.couchbase.client.core.error.AmbiguousTimeoutException;
import com.couchbase.client.core.error.CasMismatchException;
import com.couchbase.client.core.error.CollectionNotFoundException;
import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.DocumentLockedException;
import com.couchbase.client.core.error.DurabilityAmbiguousException;
import com.couchbase.client.core.error.DurabilityImpossibleException;
import com.couchbase.client.core.error.DurabilityLevelNotAvailableException;
import com.couchbase.client.core.error.DurableWriteInProgressException;
import com.couchbase.client.core.error.FeatureNotAvailableException;
import com.couchbase.client.core.error.RequestCanceledException;
import com.couchbase.client.core.error.ServerOutOfMemoryException;
import com.couchbase.client.core.error.TemporaryFailureException;
import com.couchbase.client.core.error.UnambiguousTimeoutException;
import com.couchbase.client.core.msg.CancellationReason;
import com.couchbase.client.core.retry.RetryReason;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Translates answers that the mock does not give. */
class CouchbaseFailuresTest {

    private final CouchbaseFailures failures = new CouchbaseFailures("bucket app", "majority", Duration.ofSeconds(3));

    private static RequestCanceledException noMoreRetries(RetryReason reason) {
        return new RequestCanceledException("IncrementRequest", CancellationReason.noMoreRetries(reason), null);
    }

    private void means(CouchbaseException e, Class<? extends SequenceException> kind, String... what) {
        assertThat(CouchbaseFailures.isConflict(e)).as(e.toString()).isEqualTo(kind == Overloaded.class);
        SequenceException named = failures.of("s", e);
        assertThat(named).isExactlyInstanceOf(kind).hasCause(e);
        assertThat(named).message().contains(what).doesNotContain("\n");
        assertThat(failures.of(null, e)).isExactlyInstanceOf(kind);
    }

    @Test
    void what_passes_is_repeated_by_us_and_not_by_the_client() {
        for (CouchbaseException e : new CouchbaseException[] {
            new CasMismatchException(null),
            new DocumentLockedException(null),
            new TemporaryFailureException(null),
            new DurableWriteInProgressException(null),
            noMoreRetries(RetryReason.KV_LOCKED),
            noMoreRetries(RetryReason.KV_TEMPORARY_FAILURE),
            noMoreRetries(RetryReason.KV_SYNC_WRITE_IN_PROGRESS),
            noMoreRetries(RetryReason.KV_SYNC_WRITE_RE_COMMIT_IN_PROGRESS)
        }) {
            means(e, Overloaded.class, "bucket app", "3000 ms", "COMBINED");
        }
    }

    @Test
    void a_write_that_may_not_have_reached_the_majority_has_an_unknown_outcome() {
        means(new DurabilityAmbiguousException(null), CommitOutcomeUnknown.class, "commit outcome unknown");
    }

    @Test
    void only_what_the_server_has_refused_for_good_is_looked_into() {
        assertThat(CouchbaseFailures.isRefusal(new ServerOutOfMemoryException(null)))
                .isTrue();
        assertThat(CouchbaseFailures.isRefusal(new DurabilityAmbiguousException(null)))
                .isFalse();
        assertThat(CouchbaseFailures.isRefusal(new AmbiguousTimeoutException("no answer", null)))
                .isFalse();
        assertThat(CouchbaseFailures.isRefusal(new UnambiguousTimeoutException("not sent", null)))
                .isFalse();
        assertThat(CouchbaseFailures.isRefusal(noMoreRetries(RetryReason.NODE_NOT_AVAILABLE)))
                .isFalse();
        assertThat(CouchbaseFailures.isRefusal(new DocumentLockedException(null)))
                .isFalse();
    }

    @Test
    void durability_that_cannot_be_had_names_the_remedy() {
        means(
                new DurabilityImpossibleException(null),
                Misconfigured.class,
                "durability majority",
                "lower the number of replicas",
                "durability=none, which loses acknowledged values on failover");
        means(new DurabilityLevelNotAvailableException(null), Misconfigured.class, "ephemeral", "durability=majority");
        means(
                new FeatureNotAvailableException("Synchronous Durability is currently not available on this bucket"),
                Misconfigured.class,
                "durability=none, which loses acknowledged values on failover");
    }

    @Test
    void a_missing_collection_and_a_failing_server_are_distinguished() {
        means(new CollectionNotFoundException("numbers"), Misconfigured.class, "bucket app does not exist");
        means(new ServerOutOfMemoryException(null), Unavailable.class, "bucket app failed");
        means(noMoreRetries(RetryReason.NODE_NOT_AVAILABLE), Unavailable.class, "the connection was lost");
    }

    @Test
    void the_record_of_a_request_is_not_shown() {
        assertThat(CouchbaseFailures.oneLine(new CouchbaseException("it broke\n {\"requestId\":1}")))
                .isEqualTo("it broke");
    }
}
