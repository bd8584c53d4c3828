// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.DocumentExistsException;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.function.Function;

/** The kind of a sequence's document, and how to draw values from it. Thread-safe. */
abstract class DocumentLayout {

    final Documents documents;
    final Retries attempts;
    final Keys keys;
    final String place;

    /** The states before and after a document was rewritten; none after if it was left unchanged. */
    record Rewritten(SequenceState before, Optional<SequenceState> after) {}

    DocumentLayout(Documents documents, Retries attempts, Keys keys, String place) {
        this.documents = documents;
        this.attempts = attempts;
        this.keys = keys;
        this.place = place;
    }

    /** Takes the next values; see {@link dev.seriatim.store.SequenceStore#reserve}. */
    abstract Reservation reserve(String name, long count);

    /** Creates a sequence's document. */
    abstract void create(SequenceDefinition definition);

    /**
     * Rewrites a sequence, with no draw in between.
     *
     * @param change returns the new state, given the current one; may be called again; empty to leave it unchanged
     * @return the new state, or empty if nothing was changed
     */
    abstract Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change);

    /** Removes the document of a sequence after it was {@linkplain #read read}. */
    abstract void remove(String name);

    /** Reads the state of a sequence in one attempt; empty if it does not exist. */
    abstract Optional<SequenceState> find(String name, Deadline deadline) throws InterruptedException;

    /** Returns the state of a sequence; empty if it does not exist. */
    final Optional<SequenceState> read(String name) {
        return attempts.reading(name, deadline -> Optional.of(find(name, deadline)));
    }

    final void insert(String name, DocumentContent content) {
        boolean created = attempts.writing(name, deadline -> {
            try {
                documents.insert(keys.of(name), content, deadline);
                return Optional.of(true);
            } catch (DocumentExistsException e) {
                // A document of another kind is reported; one that no longer exists leads to another attempt.
                return find(name, deadline).map(there -> false);
            }
        });
        if (!created) {
            throw new AlreadyExists(name, place);
        }
    }

    /** Reports a document of another kind than the wanted one. */
    final Misconfigured otherKind(String name, DocumentContent content, String wanted, String hint) {
        return new Misconfigured(
                name,
                "document '" + keys.of(name) + "' in " + place + " is " + content.kind() + ", not " + wanted
                        + ", and was left unchanged; choose another name, or another prefix" + hint);
    }
}
