// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * Draws from bare counters, which other applications may increment too: {@code increment(key, 1, 1)}. A counter holds
 * the last value drawn. Its sequence is 1, 2, 3, … up to 2<sup>63</sup>-1, and its epoch is always 0.
 *
 * <p>The server counts up to 2<sup>64</sup>-1 and then wraps around to 0. Therefore a counter is read before it is
 * first incremented, and near our maximum it is changed only by compare and swap.
 *
 * <p>Thread-safe.
 */
final class BareCounters extends DocumentLayout {

    /** Maximum amount added per call. */
    static final long MOST_AT_ONCE = 1L << 40;

    /** From this value on, nothing is added without reading first. */
    static final long EDGE = Long.MAX_VALUE - 2 * MOST_AT_ONCE;

    // The last seen value of each counter; only shows whether it may be near the maximum.
    private final ConcurrentMap<String, Long> seen = new ConcurrentHashMap<>();

    BareCounters(Documents documents, Retries attempts, Keys keys, String place) {
        super(documents, attempts, keys, place);
    }

    private record Read(SequenceState state, long cas) {}

    @Override
    Reservation reserve(String name, long count) {
        long wanted =
                SequenceStore.checkCount(name, count) == SequenceStore.CACHE ? SequenceDefinition.DEFAULT_CACHE : count;
        return attempts.writing(
                name,
                deadline -> wanted <= MOST_AT_ONCE && known(name, deadline) < EDGE
                        ? added(name, wanted, deadline)
                        : Optional.of(taken(name, wanted, deadline)));
    }

    /** Takes values by adding; empty if another application has raised the counter beyond what can be added to. */
    private Optional<Reservation> added(String name, long wanted, Deadline deadline) throws InterruptedException {
        long counter = add(name, wanted, deadline);
        boolean above = counter < 0; // unsigned
        seen.put(name, above ? Long.MAX_VALUE : counter); // if above, the next attempt reads, and reports it
        if (!above && counter < wanted) {
            throw new Misconfigured(name, """
                    other applications drove its counter over 2^64-1, and it wrapped around to 0; raise it above every \
                    value in use""");
        }
        return above
                ? Optional.empty()
                : Optional.of(
                        new Reservation(new Block(counter - wanted + 1, wanted, 1), SequenceDefinition.of(name), 0));
    }

    private long add(String name, long wanted, Deadline deadline) throws InterruptedException {
        try {
            return documents.increment(keys.of(name), wanted, deadline);
        } catch (CouchbaseException e) {
            seen.remove(name);
            if (CouchbaseFailures.isRefusal(e)) {
                found(name, deadline); // throws for what is no counter, for which the server has no specific error
            }
            throw e;
        }
    }

    private long known(String name, Deadline deadline) throws InterruptedException {
        Long known = seen.get(name);
        if (known != null) {
            return known;
        }
        long next = there(name, deadline).state().nextValue();
        seen.put(name, next);
        return next;
    }

    private Reservation taken(String name, long count, Deadline deadline) throws InterruptedException {
        SequenceState before = rewritten(
                        name, state -> Optional.of(state.take(count).after()), deadline)
                .before();
        return before.take(count).reservation();
    }

    @Override
    Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change) {
        return attempts.writing(
                name, deadline -> Optional.of(rewritten(name, change, deadline).after()));
    }

    private Rewritten rewritten(String name, Function<SequenceState, Optional<SequenceState>> change, Deadline deadline)
            throws InterruptedException {
        Read read = there(name, deadline);
        Optional<SequenceState> after = change.apply(read.state()).map(BareCounters::held);
        if (after.isPresent() && !after.get().equals(read.state())) {
            documents.replace(keys.of(name), content(after.get()), read.cas(), deadline);
            seen.put(name, after.get().nextValue());
        }
        return new Rewritten(read.state(), after);
    }

    @Override
    void create(SequenceDefinition definition) {
        insert(definition.name(), content(SequenceState.fresh(adopted(definition), 0)));
    }

    @Override
    Optional<SequenceState> find(String name, Deadline deadline) throws InterruptedException {
        return found(name, deadline).map(Read::state);
    }

    @Override
    void remove(String name) {
        attempts.writing(name, deadline -> {
            seen.remove(name);
            documents.remove(keys.of(name), deadline);
            return Optional.of(true);
        });
    }

    private Read there(String name, Deadline deadline) throws InterruptedException {
        return found(name, deadline).orElseThrow(() -> new NotFound(name, place));
    }

    private Optional<Read> found(String name, Deadline deadline) throws InterruptedException {
        Optional<Documents.Found> found = documents.get(keys.of(name), deadline);
        return found.map(there -> new Read(state(name, there.content()), there.cas()));
    }

    private SequenceState state(String name, DocumentContent content) {
        long last = content.counter().orElseThrow(() -> otherKind(name, content, "a bare counter", hint(content)));
        if (last < 0) {
            String counter = Long.toUnsignedString(last);
            throw new Misconfigured(name, """
                    its counter %s is above the maximum %s, and the server wraps around to 0 after 2^64-1, so nothing \
                    is drawn; remove document '%s' in %s or set it \
                    to the last value used""".formatted(counter, Long.MAX_VALUE, keys.of(name), place));
        }
        boolean usedUp = last == Long.MAX_VALUE;
        return new SequenceState(SequenceDefinition.of(name), usedUp ? last : last + 1, usedUp, 0);
    }

    private static String hint(DocumentContent content) {
        return content.object().filter(SequenceDocument::isOurs).isPresent() ? ", or draw without kind=counter" : "";
    }

    private static DocumentContent content(SequenceState state) {
        return DocumentContent.of(state.usedUp() ? state.nextValue() : state.nextValue() - 1);
    }

    /** Returns a state as a counter can hold it, without the epoch. */
    private static SequenceState held(SequenceState state) {
        SequenceDefinition definition = state.definition();
        if (!definition.equals(SequenceDefinition.of(definition.name()))) {
            throw noRoom(definition.name());
        }
        return new SequenceState(definition, state.nextValue(), state.usedUp(), 0);
    }

    /** Accepts any start, because it is the counter's initial value. */
    private static SequenceDefinition adopted(SequenceDefinition definition) {
        SequenceDefinition plain = SequenceDefinition.of(definition.name());
        boolean fits = definition.min() == plain.min()
                && definition.toBuilder().startWith(plain.start()).build().equals(plain);
        if (!fits) {
            throw noRoom(definition.name());
        }
        return definition;
    }

    private static Misconfigured noRoom(String name) {
        return new Misconfigured(name, """
                a bare counter holds only the last value drawn: its sequence is 1 … %s by 1 in blocks of %s without a \
                cycle; use that definition, or \
                open the store without kind=counter""".formatted(Long.MAX_VALUE, SequenceDefinition.DEFAULT_CACHE));
    }
}
