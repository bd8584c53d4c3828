// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * Draws from Seriatim's own documents.
 *
 * <ol>
 *   <li>A sequence that was read before is drawn from in one call, which adds to the count in its document on condition
 *       that the stamp is unchanged. The previous count determines which values these are. Values beyond the end are
 *       not dealt: a block that extends past the end is shortened, and a count past the end does no harm.
 *   <li>If the stamp has changed, the document is read again.
 *   <li>If nothing is left, or the request exceeds what one call may add to the count, the document is rewritten.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class OwnDocuments implements DocumentLayout {

    /** Maximum amount added to a count per call. */
    static final long MOST_AT_ONCE = 1L << 40;

    /**
     * The count at which the document is rewritten with a new count: far enough from 2<sup>63</sup> that no number of
     * concurrent callers reaches it.
     */
    static final long COUNT_LIMIT = 1L << 62;

    private final StampedDocuments documents;
    private final Retries attempts;
    private final Missing missing;
    private final InstantSource clock;
    // The epochs of sequences dropped here: the clock may not advance between a drop and a create.
    private final ConcurrentMap<String, Long> epochs = new ConcurrentHashMap<>();

    OwnDocuments(StampedDocuments documents, Retries attempts, Missing missing, InstantSource clock) {
        this.documents = documents;
        this.attempts = attempts;
        this.missing = missing;
        this.clock = clock;
    }

    @Override
    public Reservation reserve(String name, long count) {
        SequenceStore.checkCount(name, count);
        Rewriting rewriting = new Rewriting(name, documents);
        return attempts.writing(name, deadline -> {
            SequenceDocument document = documents.known(name, deadline);
            if (document.stamp().isEmpty() && !rewriting.hasBeenLeft()) {
                documents.forget(name, document);
                return Optional.empty();
            }
            long wanted = count == SequenceStore.CACHE ? document.definition().cache() : count;
            return canCount(document, wanted)
                    ? counted(document, wanted, deadline)
                    : Optional.of(rewriting.take(count, deadline));
        });
    }

    private static boolean canCount(SequenceDocument document, long wanted) {
        return wanted <= MOST_AT_ONCE
                && document.stamp().isPresent()
                && document.dealt() < COUNT_LIMIT
                && !document.state().usedUp();
    }

    /** Takes values by adding to the count; empty if the document has changed, or nothing was left. */
    private Optional<Reservation> counted(SequenceDocument document, long wanted, Deadline deadline)
            throws InterruptedException {
        String name = document.definition().name();
        OptionalLong count = documents.count(document, wanted, deadline);
        if (count.isEmpty()) {
            documents.forget(name, document);
            return Optional.empty();
        }
        SequenceState before = document.at(count.getAsLong() - wanted);
        if (before.usedUp() || count.getAsLong() >= COUNT_LIMIT) {
            documents.forget(name, document);
        }
        return before.usedUp()
                ? Optional.empty()
                : Optional.of(before.take(wanted).reservation());
    }

    @Override
    public Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change) {
        Rewriting rewriting = new Rewriting(name, documents);
        return attempts.writing(name, deadline -> Optional.of(rewriting.by(change, deadline)));
    }

    @Override
    public void create(SequenceDefinition definition) {
        String name = definition.name();
        long epoch = Math.max(clock.millis(), epochs.getOrDefault(name, 0L) + 1);
        SequenceDocument document = SequenceDocument.of(SequenceState.fresh(definition, epoch));
        boolean created = attempts.writing(
                name,
                deadline -> documents.insert(document, deadline)
                        ? Optional.of(true)
                        // A document of another kind is reported; one that no longer exists leads to another attempt.
                        : documents.found(name, deadline).map(there -> false));
        if (!created) {
            throw new AlreadyExists(name, missing.place());
        }
    }

    @Override
    public Optional<SequenceState> read(String name) {
        return attempts.reading(
                name,
                deadline -> Optional.of(documents
                        .found(name, deadline)
                        .map(read -> read.document().state())));
    }

    @Override
    public void remove(String name) {
        attempts.writing(name, deadline -> {
            epochs.merge(name, documents.there(name, deadline).document().epoch(), Math::max);
            documents.remove(name, deadline);
            return Optional.of(true);
        });
    }
}
