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
 * An operation that rewrites a document, in one or more attempts. Not thread-safe: use one instance each.
 *
 * <ol>
 *   <li>The document is read, changed, and written if it is unchanged in the store.
 *   <li>After a conflict, it is frozen, if it can be, before it is read again, so that no instance can draw.
 *   <li>Writing a frozen document thaws it. If the instance that froze it is gone, the next one thaws it after a wait.
 * </ol>
 */
final class Rewriting<D> {

    /** The time that a frozen document is left to the instance that froze it. */
    static final Duration FROZEN = Duration.ofMillis(200);

    private final String name;
    private final DocumentLayout<D> layout;
    private final Deadline untilLeft = Deadline.in(FROZEN);
    private boolean again;

    /** The states before and after a document was rewritten; none after if it was left unchanged. */
    record Rewritten(SequenceState before, Optional<SequenceState> after) {}

    Rewriting(String name, DocumentLayout<D> layout) {
        this.name = name;
        this.layout = layout;
    }

    /** Returns whether a document has been frozen for so long that the instance that froze it must be gone. */
    boolean hasBeenLeft() {
        return untilLeft.isOver();
    }

    Reservation take(long count, Deadline deadline) throws InterruptedException {
        SequenceState before =
                by(state -> Optional.of(state.take(count).after()), deadline).before();
        return before.take(count).reservation();
    }

    /** Replaces the state with a new one; changes nothing if {@code change} returns none. */
    Rewritten by(Function<SequenceState, Optional<SequenceState>> change, Deadline deadline)
            throws InterruptedException {
        DocumentLayout.Read<D> read = read(deadline);
        SequenceState before = layout.state(read.document());
        Optional<D> after;
        try {
            after = change.apply(before).map(layout::document);
        } catch (RuntimeException e) {
            thawAfter(e, read, deadline);
            throw e;
        }
        Rewritten rewritten = new Rewritten(before, after.map(layout::state));
        if (after.isPresent() && !rewritten.after().equals(Optional.of(before))) {
            layout.replace(name, read, after.get(), deadline);
        } else {
            thaw(read, deadline);
        }
        return rewritten;
    }

    private DocumentLayout.Read<D> read(Deadline deadline) throws InterruptedException {
        DocumentLayout.Read<D> read = layout.there(name, deadline);
        boolean freezes = again && !layout.isFrozen(read.document());
        again = true;
        return freezes && layout.freeze(name, deadline) ? layout.there(name, deadline) : read;
    }

    /** Thaws the document after a refusal. It stands if the outcome is unknown, unless others have written since. */
    private void thawAfter(RuntimeException refusal, DocumentLayout.Read<D> read, Deadline deadline)
            throws InterruptedException {
        try {
            thaw(read, deadline);
        } catch (CouchbaseException e) {
            if (CouchbaseFailures.isConflict(e) || e instanceof DocumentNotFoundException) {
                throw e;
            }
            refusal.addSuppressed(e);
        }
    }

    /** Makes a document that is not rewritten after all available to other draws again. */
    private void thaw(DocumentLayout.Read<D> read, Deadline deadline) throws InterruptedException {
        if (layout.isFrozen(read.document())) {
            layout.replace(name, read, layout.document(layout.state(read.document())), deadline);
        }
    }
}
