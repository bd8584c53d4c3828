// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.DocumentNotFoundException;
import com.couchbase.client.core.error.subdoc.DocumentNotJsonException;
import com.couchbase.client.core.error.subdoc.PathMismatchException;
import com.couchbase.client.core.error.subdoc.PathNotFoundException;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.MutateInResult;
import com.couchbase.client.java.kv.MutateInSpec;
import com.couchbase.client.java.kv.StoreSemantics;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Draws from Seriatim's own documents. Thread-safe.
 *
 * <ol>
 *   <li>A sequence that was read before is drawn from in one call, which adds to the count in its document on condition
 *       that the stamp is unchanged. The previous count determines which values these are. Values beyond the end are
 *       not dealt: a block that extends past the end is shortened, and a count past the end does no harm.
 *   <li>If the stamp has changed, the document is read again.
 *   <li>If nothing is left, or the request exceeds what one call may add to the count, the document is rewritten.
 * </ol>
 */
final class OwnDocuments extends DocumentLayout<SequenceDocument> {

    static final long MOST_AT_ONCE = 1L << 40;

    /** The count at which the document is rewritten; so far from 2<sup>63</sup> that callers never reach it. */
    static final long COUNT_LIMIT = 1L << 62;

    private final InstantSource clock;
    // The epochs of sequences dropped here: the clock may not advance between a drop and a create.
    private final ConcurrentMap<String, Long> epochs = new ConcurrentHashMap<>();

    OwnDocuments(Documents documents, Retries attempts, Keys keys, String place, InstantSource clock) {
        super(documents, attempts, keys, place);
        this.clock = clock;
    }

    @Override
    Reservation reserve(String name, long count) {
        SequenceStore.checkCount(name, count);
        Rewriting<SequenceDocument> rewriting = new Rewriting<>(name, this);
        return attempts.writing(name, deadline -> {
            SequenceDocument document = known(name, deadline);
            if (document.stamp().isEmpty() && !rewriting.hasBeenLeft()) {
                seen.remove(name, document);
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
        OptionalLong count = count(document, wanted, deadline);
        if (count.isEmpty()) {
            seen.remove(name, document);
            return Optional.empty();
        }
        SequenceState before = document.at(count.getAsLong() - wanted);
        if (before.usedUp() || count.getAsLong() >= COUNT_LIMIT) {
            seen.remove(name, document);
        }
        return before.usedUp()
                ? Optional.empty()
                : Optional.of(before.take(wanted).reservation());
    }

    @Override
    void create(SequenceDefinition definition) {
        String name = definition.name();
        long epoch = Math.max(clock.millis(), epochs.getOrDefault(name, 0L) + 1);
        insert(name, SequenceDocument.of(SequenceState.fresh(definition, epoch)));
    }

    @Override
    void remove(String name) {
        attempts.writing(name, deadline -> {
            epochs.merge(name, there(name, deadline).document().epoch(), Math::max);
            return Optional.of(true);
        });
        super.remove(name);
    }

    @Override
    SequenceDocument document(SequenceState state) {
        return SequenceDocument.of(state);
    }

    @Override
    SequenceState state(SequenceDocument document) {
        return document.state();
    }

    @Override
    DocumentContent content(SequenceDocument document) {
        return document.content();
    }

    /** Adds to the count and returns the result; empty if the document has changed. */
    private OptionalLong count(SequenceDocument document, long wanted, Deadline deadline) throws InterruptedException {
        String stamp = SequenceDocument.GUARD + "." + document.stamp().orElseThrow();
        try {
            MutateInResult result = documents.mutate(
                    keys.of(document.definition().name()),
                    StoreSemantics.REPLACE,
                    0,
                    deadline,
                    MutateInSpec.replace(stamp, true),
                    MutateInSpec.increment(SequenceDocument.DEALT, wanted));
            return OptionalLong.of(result.contentAs(1, Long.class));
        } catch (DocumentNotFoundException
                | PathNotFoundException
                | PathMismatchException
                | DocumentNotJsonException e) {
            return OptionalLong.empty();
        }
    }

    /** Removes the stamp, so that no instance can add to the count until the document is rewritten. */
    @Override
    boolean freeze(String name, Deadline deadline) throws InterruptedException {
        MutateInSpec empty = MutateInSpec.replace(SequenceDocument.GUARD, JsonObject.create());
        documents.mutate(keys.of(name), StoreSemantics.REPLACE, 0, deadline, empty);
        return true;
    }

    @Override
    boolean isFrozen(SequenceDocument document) {
        return document.stamp().isEmpty();
    }

    @Override
    SequenceDocument parsed(String name, DocumentContent content) {
        JsonObject json = content.object().filter(SequenceDocument::isOurs).orElseThrow(() -> otherKind(name, content));
        try {
            SequenceDocument document = SequenceDocument.read(json);
            if (document.definition().name().equals(name)) {
                return document;
            }
        } catch (Misconfigured e) {
            throw new Misconfigured(name, """
                    document '%s' in %s is damaged (%s); repair it, or remove it and create the sequence above every \
                    value in use""".formatted(keys.of(name), place, e.getMessage()), e);
        }
        throw otherKind(name, content);
    }

    private Misconfigured otherKind(String name, DocumentContent content) {
        boolean counter = content.counter().isPresent();
        return otherKind(name, content, "a sequence of Seriatim", counter ? ", or draw from it with kind=counter" : "");
    }
}
