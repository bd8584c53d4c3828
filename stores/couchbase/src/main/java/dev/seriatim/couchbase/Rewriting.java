// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.DocumentNotFoundException;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * An operation that rewrites one of Seriatim's own documents, in one or more attempts.
 *
 * <ol>
 *   <li>The document is read, changed, and written if it is unchanged in the store.
 *   <li>After a conflict, it is frozen before it is read again, so that no instance can draw.
 *   <li>Writing a frozen document thaws it. If the instance that froze it is gone, the next one thaws it after a wait.
 * </ol>
 *
 * <p>Not thread-safe: use one instance per operation.
 */
final class Rewriting {

    /** The time that a frozen document is left to the instance that froze it. */
    static final Duration FROZEN = Duration.ofMillis(200);

    private final String name;
    private final OwnDocuments documents;
    private final Deadline untilLeft = Deadline.in(FROZEN);
    private boolean again;

    Rewriting(String name, OwnDocuments documents) {
        this.name = name;
        this.documents = documents;
    }

    /** Returns whether a document has been frozen for so long that the instance that froze it must be gone. */
    boolean hasBeenLeft() {
        return untilLeft.isOver();
    }

    /** Takes the next values; see {@link SequenceState#take}. */
    Reservation take(long count, Deadline deadline) throws InterruptedException {
        SequenceState before =
                by(state -> Optional.of(state.take(count).after()), deadline).before();
        return before.take(count).reservation();
    }

    /** Replaces the state with a new one; changes nothing if {@code change} returns none. */
    DocumentLayout.Rewritten by(Function<SequenceState, Optional<SequenceState>> change, Deadline deadline)
            throws InterruptedException {
        OwnDocuments.Read read = read(deadline);
        SequenceState before = read.document().state();
        Optional<SequenceState> after;
        try {
            after = change.apply(before);
        } catch (RuntimeException e) {
            thawAfter(e, read, before, deadline);
            throw e;
        }
        if (after.isPresent() && !after.get().equals(before)) {
            documents.replace(read, after.get(), deadline);
        } else {
            thaw(read, before, deadline);
        }
        return new DocumentLayout.Rewritten(before, after);
    }

    private OwnDocuments.Read read(Deadline deadline) throws InterruptedException {
        OwnDocuments.Read read = documents.there(name, deadline);
        if (!again || read.document().stamp().isEmpty()) {
            again = true;
            return read;
        }
        documents.freeze(name, deadline);
        return documents.there(name, deadline);
    }

    /**
     * Thaws the document after a refusal. The refusal stands even if the outcome is unknown, unless others have written
     * the document since.
     */
    private void thawAfter(RuntimeException refusal, OwnDocuments.Read read, SequenceState state, Deadline deadline)
            throws InterruptedException {
        try {
            thaw(read, state, deadline);
        } catch (CouchbaseException e) {
            if (CouchbaseFailures.isConflict(e) || e instanceof DocumentNotFoundException) {
                throw e;
            }
            refusal.addSuppressed(e);
        }
    }

    /** Makes a document that is not rewritten after all available to other draws again. */
    private void thaw(OwnDocuments.Read read, SequenceState state, Deadline deadline) throws InterruptedException {
        if (read.document().stamp().isEmpty()) {
            documents.replace(read, state, deadline);
        }
    }
}
