// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * One operation that rewrites a document of our own, in one attempt or several.
 *
 * <ol>
 *   <li>The document is read, computed anew, and written if it is still the one that was read.
 *   <li>When others came in between, it is frozen before it is read the next time: then nobody draws.
 *   <li>One that is frozen is thawed by whoever writes it; if its freezer is gone, by the next who has waited for that.
 * </ol>
 *
 * <p>Not thread-safe: one per operation.
 */
final class Rewriting {

    /** How long a frozen document is left to the one who froze it. */
    static final Duration FROZEN = Duration.ofMillis(200);

    private final String name;
    private final StampedDocuments documents;
    private final Deadline untilLeft = Deadline.in(FROZEN);
    private boolean again;

    Rewriting(String name, StampedDocuments documents) {
        this.name = name;
        this.documents = documents;
    }

    /** Whether a document that was frozen all the time is nobody's any more. */
    boolean hasBeenLeft() {
        return untilLeft.isOver();
    }

    /** Takes the next values, as {@link SequenceState#take} says. */
    Reservation take(long count, Deadline deadline) throws InterruptedException {
        AtomicReference<Reservation> reservation = new AtomicReference<>();
        by(
                state -> {
                    SequenceState.Taken taken = state.take(count);
                    reservation.set(taken.reservation());
                    return Optional.of(taken.after());
                },
                deadline);
        return Objects.requireNonNull(reservation.get());
    }

    /** Makes a new state from the one that is there; empty, and nothing changed, when there is none to be made. */
    Optional<SequenceState> by(Function<SequenceState, Optional<SequenceState>> change, Deadline deadline)
            throws InterruptedException {
        StampedDocuments.Read read = read(deadline);
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
        return after;
    }

    private StampedDocuments.Read read(Deadline deadline) throws InterruptedException {
        StampedDocuments.Read read = documents.there(name, deadline);
        if (!again || read.document().stamp().isEmpty()) {
            again = true;
            return read;
        }
        documents.freeze(name, deadline);
        return documents.there(name, deadline);
    }

    /** Unless others have written the document since, the refusal holds, even where nobody knows whether it was thawed. */
    private void thawAfter(RuntimeException refusal, StampedDocuments.Read read, SequenceState state, Deadline deadline)
            throws InterruptedException {
        try {
            thaw(read, state, deadline);
        } catch (CouchbaseException e) {
            if (TransientErrors.is(e)) {
                throw e;
            }
            refusal.addSuppressed(e);
        }
    }

    /** Leaves a document that is not to be rewritten after all as others can draw from it. */
    private void thaw(StampedDocuments.Read read, SequenceState state, Deadline deadline) throws InterruptedException {
        if (read.document().stamp().isEmpty()) {
            documents.replace(read, state, deadline);
        }
    }
}
