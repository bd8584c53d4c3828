// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.DocumentNotFoundException;
import com.couchbase.client.core.error.subdoc.PathNotFoundException;
import com.couchbase.client.core.msg.kv.DurabilityLevel;
import com.couchbase.client.java.AsyncCollection;
import com.couchbase.client.java.CommonOptions;
import com.couchbase.client.java.codec.RawJsonTranscoder;
import com.couchbase.client.java.kv.CommonDurabilityOptions;
import com.couchbase.client.java.kv.GetOptions;
import com.couchbase.client.java.kv.GetResult;
import com.couchbase.client.java.kv.IncrementOptions;
import com.couchbase.client.java.kv.InsertOptions;
import com.couchbase.client.java.kv.LookupInOptions;
import com.couchbase.client.java.kv.LookupInResult;
import com.couchbase.client.java.kv.LookupInSpec;
import com.couchbase.client.java.kv.MutateInOptions;
import com.couchbase.client.java.kv.MutateInResult;
import com.couchbase.client.java.kv.MutateInSpec;
import com.couchbase.client.java.kv.RemoveOptions;
import com.couchbase.client.java.kv.ReplaceOptions;
import com.couchbase.client.java.kv.StoreSemantics;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Calls the server, each time within a deadline, and lets the client's exceptions through. Documents do not expire,
 * unless the bucket or collection has a default expiry. Immutable and thread-safe.
 *
 * @param path the field that each call concerns, and treats as a document; empty for the whole document
 */
record Documents(AsyncCollection collection, DurabilityLevel durability, String path) {

    record Found(DocumentContent content, long cas) {}

    Optional<Found> get(String key, Deadline deadline) throws InterruptedException {
        GetOptions options = within(deadline, GetOptions.getOptions()).transcoder(RawJsonTranscoder.INSTANCE);
        try {
            if (!path.isEmpty()) {
                LookupInOptions looking = within(deadline, LookupInOptions.lookupInOptions());
                LookupInResult field = await(collection.lookupIn(key, List.of(LookupInSpec.get(path)), looking));
                return Optional.of(new Found(new DocumentContent(field.contentAsBytes(0)), field.cas()));
            }
            GetResult result = await(collection.get(key, options));
            return Optional.of(new Found(new DocumentContent(result.contentAsBytes()), result.cas()));
        } catch (DocumentNotFoundException | PathNotFoundException e) {
            return Optional.empty();
        }
    }

    void insert(String key, DocumentContent content, Deadline deadline) throws InterruptedException {
        if (!path.isEmpty()) {
            MutateInSpec added =
                    MutateInSpec.insert(path, content.counter().orElseThrow()).createPath();
            mutate(key, StoreSemantics.UPSERT, 0, deadline, added);
            return;
        }
        InsertOptions options = durable(deadline, InsertOptions.insertOptions()).transcoder(RawJsonTranscoder.INSTANCE);
        await(collection.insert(key, content.bytes(), options));
    }

    /** Writes a document if it has not changed since it was read. */
    void replace(String key, DocumentContent content, long cas, Deadline deadline) throws InterruptedException {
        if (!path.isEmpty()) {
            Long counter = content.counter().orElseThrow();
            mutate(key, StoreSemantics.REPLACE, cas, deadline, MutateInSpec.replace(path, counter));
            return;
        }
        ReplaceOptions options = durable(deadline, ReplaceOptions.replaceOptions())
                .transcoder(RawJsonTranscoder.INSTANCE)
                .cas(cas);
        await(collection.replace(key, content.bytes(), options));
    }

    void remove(String key, Deadline deadline) throws InterruptedException {
        if (!path.isEmpty()) {
            mutate(key, StoreSemantics.REPLACE, 0, deadline, MutateInSpec.remove(path));
            return;
        }
        await(collection.remove(key, durable(deadline, RemoveOptions.removeOptions())));
    }

    /** Adds to an existing counter and returns the result, an unsigned number. A field that was removed is created again. */
    long increment(String key, long delta, Deadline deadline) throws InterruptedException {
        if (!path.isEmpty()) {
            return mutate(key, StoreSemantics.REPLACE, 0, deadline, MutateInSpec.increment(path, delta))
                    .contentAs(0, Long.class);
        }
        IncrementOptions options =
                durable(deadline, IncrementOptions.incrementOptions()).delta(delta);
        return await(collection.binary().increment(key, options)).content();
    }

    /** Changes parts of a document, atomically; only if it has not changed since it was read, unless {@code cas} is 0. */
    MutateInResult mutate(String key, StoreSemantics semantics, long cas, Deadline deadline, MutateInSpec... parts)
            throws InterruptedException {
        MutateInOptions options =
                durable(deadline, MutateInOptions.mutateInOptions()).storeSemantics(semantics);
        return await(collection.mutateIn(key, List.of(parts), options.cas(cas)));
    }

    private static <O extends CommonOptions<O>> O within(Deadline deadline, O options) {
        return options.timeout(deadline.left()).retryStrategy(CouchbaseFailures.CONFLICTS_TO_US);
    }

    private <O extends CommonDurabilityOptions<O>> O durable(Deadline deadline, O options) {
        return within(deadline, options).durability(durability);
    }

    static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw new IllegalStateException("the client failed: " + e.getCause(), e);
        }
    }
}
