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
import dev.seriatim.Reservation;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceState;
import dev.seriatim.SequenceStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Draws from documents of our own.
 *
 * <ol>
 *   <li>A sequence that was seen before is drawn by one call, which adds to the count in its document under the condition that
 *       the stamp is still the one that was seen. What the count was before says which values these are; what lies beyond the
 *       end is nobody's, so a block that reaches beyond it is shortened, and a count that has passed the end does no harm.
 *   <li>Where the stamp is another one, the document is read again.
 *   <li>Where nothing is left, or more is asked for than the count may grow by at once, the document is rewritten: read,
 *       computed anew, and written if it is still the one that was read. When others keep coming in between, it is frozen first.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class OwnDocuments implements Layout {

    /** The most that one call adds to a count. */
    static final long MOST_AT_ONCE = 1L << 40;

    /** Where a count is begun anew: so far from 2<sup>63</sup> that no crowd can get there in one go. */
    static final long COUNT_LIMIT = 1L << 62;

    /** How long a frozen document is left to the one who froze it. */
    static final Duration FROZEN = Duration.ofMillis(200);

    private final Documents documents;
    private final Attempts attempts;
    private final Keys keys;
    private final Missing missing;
    private final InstantSource clock;
    // What the documents said when they were last seen; never trusted, always checked by the stamp.
    private final ConcurrentMap<String, SequenceDocument> seen = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Long> epochs = new ConcurrentHashMap<>();

    OwnDocuments(Documents documents, Attempts attempts, Keys keys, Missing missing, InstantSource clock) {
        this.documents = documents;
        this.attempts = attempts;
        this.keys = keys;
        this.missing = missing;
        this.clock = clock;
    }

    private record Read(SequenceDocument document, long cas) {}

    @Override
    public Reservation reserve(String name, long count) {
        SequenceStore.checkCount(name, count);
        Rewriting rewriting = new Rewriting(name);
        return attempts.writing(name, deadline -> {
            SequenceDocument document = known(name, deadline);
            if (document.stamp().isEmpty() && !rewriting.hasBeenLeft()) {
                seen.remove(name, document);
                return Optional.empty();
            }
            long wanted = count == SequenceStore.CACHE ? document.definition().cache() : count;
            return document.stamp().isPresent() && canCount(document, wanted)
                    ? counted(name, document, wanted, deadline)
                    : Optional.of(rewriting.take(count, deadline));
        });
    }

    private static boolean canCount(SequenceDocument document, long wanted) {
        return wanted <= MOST_AT_ONCE
                && document.dealt() < COUNT_LIMIT
                && !document.state().usedUp();
    }

    /** Takes values by counting them; empty when the document is not what it was, or nothing was left. */
    private Optional<Reservation> counted(String name, SequenceDocument document, long wanted, Deadline deadline)
            throws InterruptedException {
        OptionalLong count = count(name, document, wanted, deadline);
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

    /** Where the count has come; empty when the document is not what it was. */
    private OptionalLong count(String name, SequenceDocument document, long wanted, Deadline deadline)
            throws InterruptedException {
        List<MutateInSpec> parts = List.of(
                MutateInSpec.replace(SequenceDocument.guarded(document.stamp().orElseThrow()), true),
                MutateInSpec.increment(SequenceDocument.DEALT, wanted));
        try {
            MutateInResult result = documents.mutate(keys.of(name), parts, deadline);
            return OptionalLong.of(result.contentAs(1, Long.class));
        } catch (DocumentNotFoundException
                | PathNotFoundException
                | PathMismatchException
                | DocumentNotJsonException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change) {
        Rewriting rewriting = new Rewriting(name);
        return attempts.writing(name, deadline -> Optional.of(rewriting.by(change, deadline)));
    }

    /** One operation that rewrites a document, in one attempt or several. Not thread-safe. */
    private final class Rewriting {
        private final String name;
        private final Deadline untilLeft = Deadline.in(FROZEN);
        private boolean again;

        Rewriting(String name) {
            this.name = name;
        }

        /** Whether a document that was frozen all the time is nobody's any more. */
        boolean hasBeenLeft() {
            return untilLeft.isOver();
        }

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

        Optional<SequenceState> by(Function<SequenceState, Optional<SequenceState>> change, Deadline deadline)
                throws InterruptedException {
            Read read = read(deadline);
            SequenceState before = read.document().state();
            Optional<SequenceState> after;
            try {
                after = change.apply(before);
            } catch (RuntimeException e) {
                thaw(read, deadline);
                throw e;
            }
            if (after.isPresent() && !after.get().equals(before)) {
                write(read, after.get(), deadline);
            } else {
                thaw(read, deadline);
            }
            return after;
        }

        /** Reads the document; frozen, when others came in between the last time. */
        private Read read(Deadline deadline) throws InterruptedException {
            Read read = there(name, deadline);
            if (!again || read.document().stamp().isEmpty()) {
                again = true;
                return read;
            }
            documents.mutate(
                    keys.of(name),
                    List.of(MutateInSpec.replace(SequenceDocument.GUARD, JsonObject.create())),
                    deadline);
            return there(name, deadline);
        }

        /** Leaves a document that is not to be rewritten after all as others can draw from it. */
        private void thaw(Read read, Deadline deadline) throws InterruptedException {
            if (read.document().stamp().isEmpty()) {
                write(read, read.document().state(), deadline);
            }
        }

        private void write(Read read, SequenceState state, Deadline deadline) throws InterruptedException {
            SequenceDocument document = SequenceDocument.of(state);
            documents.replace(keys.of(name), document.content(), read.cas(), deadline);
            seen.put(name, document);
        }
    }

    @Override
    public void create(SequenceDefinition definition) {
        String name = definition.name();
        long epoch = Math.max(clock.millis(), epochs.getOrDefault(name, 0L) + 1);
        SequenceDocument document = SequenceDocument.of(SequenceState.fresh(definition, epoch));
        boolean created = attempts.writing(name, deadline -> {
            try {
                documents.insert(keys.of(name), document.content(), deadline);
                return Optional.of(true);
            } catch (DocumentExistsException e) {
                // A document of another kind is told, one that has gone since leads to another attempt.
                return found(name, deadline).map(there -> false);
            }
        });
        if (!created) {
            throw new AlreadyExists(name, missing.place());
        }
    }

    @Override
    public Optional<SequenceState> read(String name) {
        return attempts.reading(
                name,
                deadline -> Optional.of(
                        found(name, deadline).map(read -> read.document().state())));
    }

    @Override
    public void remove(String name) {
        attempts.writing(name, deadline -> {
            Read read = there(name, deadline);
            epochs.merge(name, read.document().epoch(), Math::max);
            seen.remove(name);
            try {
                documents.remove(keys.of(name), deadline);
            } catch (DocumentNotFoundException e) {
                throw missing.sequence(name);
            }
            return Optional.of(true);
        });
    }

    private SequenceDocument known(String name, Deadline deadline) throws InterruptedException {
        SequenceDocument known = seen.get(name);
        if (known != null) {
            return known;
        }
        SequenceDocument document = there(name, deadline).document();
        seen.put(name, document);
        return document;
    }

    private Read there(String name, Deadline deadline) throws InterruptedException {
        return found(name, deadline).orElseThrow(() -> missing.sequence(name));
    }

    private Optional<Read> found(String name, Deadline deadline) throws InterruptedException {
        Optional<Documents.Found> found = documents.get(keys.of(name), deadline);
        return found.map(there -> new Read(document(name, there.content()), there.cas()));
    }

    private SequenceDocument document(String name, Content content) {
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
