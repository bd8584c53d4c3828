// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.DocumentExistsException;
import com.couchbase.client.core.error.DocumentNotFoundException;
import com.couchbase.client.core.error.subdoc.DocumentNotJsonException;
import com.couchbase.client.core.error.subdoc.PathMismatchException;
import com.couchbase.client.core.error.subdoc.PathNotFoundException;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.MutateInResult;
import com.couchbase.client.java.kv.MutateInSpec;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Reads, writes and caches Seriatim's own documents. Thread-safe. */
final class StampedDocuments {

    private final Documents documents;
    private final Keys keys;
    private final Missing missing;
    // A cache only: the stamp is always checked.
    private final ConcurrentMap<String, SequenceDocument> seen = new ConcurrentHashMap<>();

    StampedDocuments(Documents documents, Keys keys, Missing missing) {
        this.documents = documents;
        this.keys = keys;
        this.missing = missing;
    }

    /** A document as it was read. */
    record Read(SequenceDocument document, long cas) {}

    /** Returns the cached document, or reads it. */
    SequenceDocument known(String name, Deadline deadline) throws InterruptedException {
        SequenceDocument known = seen.get(name);
        if (known != null) {
            return known;
        }
        SequenceDocument document = there(name, deadline).document();
        seen.put(name, document);
        return document;
    }

    /** Removes a document from the cache, so that the next caller reads it again. */
    void forget(String name, SequenceDocument document) {
        seen.remove(name, document);
    }

    Read there(String name, Deadline deadline) throws InterruptedException {
        return found(name, deadline).orElseThrow(() -> missing.sequence(name));
    }

    Optional<Read> found(String name, Deadline deadline) throws InterruptedException {
        Optional<Documents.Found> found = documents.get(keys.of(name), deadline);
        return found.map(there -> new Read(document(name, there.content()), there.cas()));
    }

    /** Writes a new document; returns false if it already exists. */
    boolean insert(SequenceDocument document, Deadline deadline) throws InterruptedException {
        try {
            documents.insert(keys.of(document.definition().name()), document.content(), deadline);
            return true;
        } catch (DocumentExistsException e) {
            return false;
        }
    }

    /** Writes a state under a new stamp, if the document has not changed since it was read. */
    void replace(Read read, SequenceState state, Deadline deadline) throws InterruptedException {
        String name = state.definition().name();
        SequenceDocument document = SequenceDocument.of(state);
        try {
            documents.replace(keys.of(name), document.content(), read.cas(), deadline);
        } catch (DocumentNotFoundException e) {
            throw missing.sequence(name); // dropped since it was read
        }
        seen.put(name, document);
    }

    /** Adds to the count and returns the result; empty if the document has changed. */
    OptionalLong count(SequenceDocument document, long wanted, Deadline deadline) throws InterruptedException {
        List<MutateInSpec> parts = List.of(
                MutateInSpec.replace(SequenceDocument.guarded(document.stamp().orElseThrow()), true),
                MutateInSpec.increment(SequenceDocument.DEALT, wanted));
        try {
            MutateInResult result =
                    documents.mutate(keys.of(document.definition().name()), parts, deadline);
            return OptionalLong.of(result.contentAs(1, Long.class));
        } catch (DocumentNotFoundException
                | PathNotFoundException
                | PathMismatchException
                | DocumentNotJsonException e) {
            return OptionalLong.empty();
        }
    }

    /** Removes the stamp, so that no instance can add to the count until the document is rewritten. */
    void freeze(String name, Deadline deadline) throws InterruptedException {
        try {
            documents.mutate(
                    keys.of(name),
                    List.of(MutateInSpec.replace(SequenceDocument.GUARD, JsonObject.create())),
                    deadline);
        } catch (DocumentNotFoundException e) {
            throw missing.sequence(name);
        }
    }

    void remove(String name, Deadline deadline) throws InterruptedException {
        seen.remove(name);
        try {
            documents.remove(keys.of(name), deadline);
        } catch (DocumentNotFoundException e) {
            throw missing.sequence(name);
        }
    }

    private SequenceDocument document(String name, DocumentContent content) {
        JsonObject json =
                content.object().filter(SequenceDocument::isOurs).orElseThrow(() -> missing.otherKind(name, content));
        try {
            SequenceDocument document = SequenceDocument.read(json);
            if (document.definition().name().equals(name)) {
                return document;
            }
        } catch (Misconfigured e) {
            throw missing.damaged(name, e);
        }
        throw missing.otherKind(name, content);
    }
}
