// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.util.Optional;

/**
 * Draws from bare counters, which other applications may increment too: {@code increment(key, 1, 1)}. A counter holds
 * the last value drawn of 1, 2, 3, … up to 2<sup>63</sup>-1; its epoch is always 0. Thread-safe.
 *
 * <p>The server counts up to 2<sup>64</sup>-1 and then wraps around to 0. Therefore a counter is read before it is
 * first incremented, and near our maximum it is changed only by compare and swap.
 */
final class BareCounters extends DocumentLayout<SequenceState> {

    static final long MOST_AT_ONCE = 1L << 40;

    /** From this value on, nothing is added without reading first. */
    static final long EDGE = Long.MAX_VALUE - 2 * MOST_AT_ONCE;

    BareCounters(Documents documents, Retries attempts, Keys keys, String place) {
        super(documents, attempts, keys, place);
    }

    @Override
    Reservation reserve(String name, long count) {
        long wanted =
                SequenceStore.checkCount(name, count) == SequenceStore.CACHE ? SequenceDefinition.DEFAULT_CACHE : count;
        Rewriting<SequenceState> rewriting = new Rewriting<>(name, this);
        return attempts.writing(
                name,
                deadline -> wanted <= MOST_AT_ONCE && known(name, deadline).nextValue() < EDGE
                        ? added(name, wanted, deadline)
                        : Optional.of(rewriting.take(wanted, deadline)));
    }

    /** Takes values by adding; empty if another application has raised the counter beyond what can be added to. */
    private Optional<Reservation> added(String name, long wanted, Deadline deadline) throws InterruptedException {
        long counter = add(name, wanted, deadline);
        boolean above = counter < 0; // unsigned
        seen.put(name, at(name, above ? Long.MAX_VALUE : counter)); // if above, the next attempt reads, and reports it
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

    @Override
    void create(SequenceDefinition definition) {
        insert(definition.name(), SequenceState.fresh(adopted(definition), 0));
    }

    @Override
    SequenceState parsed(String name, DocumentContent content) {
        long last = content.counter().orElseThrow(() -> otherKind(name, content, "a bare counter", hint(content)));
        if (last < 0) {
            String counter = Long.toUnsignedString(last);
            throw new Misconfigured(name, """
                    its counter %s is above the maximum %s, and the server wraps around to 0 after 2^64-1, so nothing \
                    is drawn; remove document '%s' in %s or set it \
                    to the last value used""".formatted(counter, Long.MAX_VALUE, keys.of(name), place));
        }
        return at(name, last);
    }

    private static SequenceState at(String name, long last) {
        boolean usedUp = last == Long.MAX_VALUE;
        return new SequenceState(SequenceDefinition.of(name), usedUp ? last : last + 1, usedUp, 0);
    }

    private static String hint(DocumentContent content) {
        return content.object().filter(SequenceDocument::isOurs).isPresent() ? ", or draw without kind=counter" : "";
    }

    @Override
    DocumentContent content(SequenceState state) {
        return DocumentContent.of(state.usedUp() ? state.nextValue() : state.nextValue() - 1);
    }

    @Override
    SequenceState state(SequenceState document) {
        return document;
    }

    /** Returns a state as a counter can hold it, without the epoch. */
    @Override
    SequenceState document(SequenceState state) {
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
