// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.DocumentExistsException;
import com.couchbase.client.core.error.subdoc.PathExistsException;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * The kind of a sequence's document, and how to draw values from it. Thread-safe.
 *
 * @param <D> a parsed document
 */
abstract class DocumentLayout<D> {

    final Documents documents;
    final Retries attempts;
    final Keys keys;
    final String place;
    /** The documents as last read or written. A cache only: no draw relies on it. */
    final ConcurrentMap<String, D> seen = new ConcurrentHashMap<>();

    record Read<D>(D document, long cas) {}

    DocumentLayout(Documents documents, Retries attempts, Keys keys, String place) {
        this.documents = documents;
        this.attempts = attempts;
        this.keys = keys;
        this.place = place;
    }

    /** Takes the next values; see {@link dev.seriatim.store.SequenceStore#reserve}. */
    abstract Reservation reserve(String name, long count);

    abstract void create(SequenceDefinition definition);

    /** Parses a document. Throws {@link Misconfigured} if it is of another kind. */
    abstract D parsed(String name, DocumentContent content);

    /** Returns a new document for a state. Throws {@link Misconfigured} if it cannot hold the state. */
    abstract D document(SequenceState state);

    abstract SequenceState state(D document);

    abstract DocumentContent content(D document);

    /** Prevents draws until the document is rewritten; returns false if this kind cannot. */
    boolean freeze(String name, Deadline deadline) throws InterruptedException {
        return false;
    }

    boolean isFrozen(D document) {
        return false;
    }

    /** Rewrites a sequence, with no draw in between; empty if {@code change} returns none. May call it again. */
    final Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change) {
        Rewriting<D> rewriting = new Rewriting<>(name, this);
        return attempts.writing(
                name, deadline -> Optional.of(rewriting.by(change, deadline).after()));
    }

    /** Removes the document of a sequence after it was {@linkplain #read read}. */
    void remove(String name) {
        attempts.writing(name, deadline -> {
            seen.remove(name);
            documents.remove(keys.of(name), deadline);
            return Optional.of(true);
        });
    }

    /** Returns the state of a sequence; empty if it does not exist. */
    final Optional<SequenceState> read(String name) {
        return attempts.reading(name, deadline -> Optional.of(found(name, deadline)))
                .map(read -> state(read.document()));
    }

    /** Returns the cached document, or reads it. */
    final D known(String name, Deadline deadline) throws InterruptedException {
        D known = seen.get(name);
        if (known == null) {
            known = there(name, deadline).document();
            seen.put(name, known);
        }
        return known;
    }

    final Read<D> there(String name, Deadline deadline) throws InterruptedException {
        return found(name, deadline).orElseThrow(() -> new NotFound(name, place));
    }

    final Optional<Read<D>> found(String name, Deadline deadline) throws InterruptedException {
        return documents
                .get(keys.of(name), deadline)
                .map(found -> new Read<>(parsed(name, found.content()), found.cas()));
    }

    final void insert(String name, D document) {
        boolean created = attempts.writing(name, deadline -> {
            try {
                documents.insert(keys.of(name), content(document), deadline);
                return Optional.of(true);
            } catch (DocumentExistsException | PathExistsException e) {
                // A document of another kind is reported; one that no longer exists leads to another attempt.
                return found(name, deadline).map(there -> false);
            }
        });
        if (!created) {
            throw new AlreadyExists(name, place);
        }
    }

    /** Writes a document if it has not changed since it was read. */
    final void replace(String name, Read<D> read, D document, Deadline deadline) throws InterruptedException {
        documents.replace(keys.of(name), content(document), read.cas(), deadline);
        seen.put(name, document);
    }

    /** Reports a document of another kind than the wanted one. */
    final Misconfigured otherKind(String name, DocumentContent content, String wanted, String hint) {
        return new Misconfigured(
                name,
                "document '" + keys.of(name) + "' in " + place + " is " + content.kind() + ", not " + wanted
                        + ", and was left unchanged; choose another name, or another prefix" + hint);
    }
}
