// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.DocumentExistsException;
import com.couchbase.client.core.error.DocumentNotFoundException;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Pauses;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
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
final class BareCounters implements DocumentLayout {

    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    /** Maximum amount added per call. */
    static final long MOST_AT_ONCE = 1L << 40;

    /** From this value on, nothing is added without reading first. */
    static final long EDGE = Long.MAX_VALUE - 2 * MOST_AT_ONCE;

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(8);

    /** Maximum time that another instance may take to put back a counter it has pushed above our maximum. */
    private static final Duration GRACE = Duration.ofMillis(400);

    private final Documents documents;
    private final Retries attempts;
    private final Keys keys;
    private final Missing missing;
    private final Duration grace;
    // The last seen value of each counter; only shows whether it may be near the maximum.
    private final ConcurrentMap<String, Long> seen = new ConcurrentHashMap<>();

    BareCounters(Documents documents, Retries attempts, Keys keys, Missing missing) {
        this(documents, attempts, keys, missing, GRACE);
    }

    BareCounters(Documents documents, Retries attempts, Keys keys, Missing missing, Duration grace) {
        this.documents = documents;
        this.attempts = attempts;
        this.keys = keys;
        this.missing = missing;
        this.grace = grace;
    }

    private record Read(SequenceState state, long cas) {}

    @Override
    public Reservation reserve(String name, long count) {
        long wanted =
                SequenceStore.checkCount(name, count) == SequenceStore.CACHE ? SequenceDefinition.DEFAULT_CACHE : count;
        return attempts.writing(
                name,
                deadline -> wanted <= MOST_AT_ONCE && known(name, deadline) < EDGE
                        ? added(name, wanted, deadline)
                        : Optional.of(taken(name, wanted, deadline)));
    }

    /** Takes values by adding; empty if the counter was too high and nothing is left. */
    private Optional<Reservation> added(String name, long wanted, Deadline deadline) throws InterruptedException {
        long counter = add(name, wanted, deadline);
        boolean above = counter < 0; // unsigned
        seen.put(name, above ? Long.MAX_VALUE : counter);
        if (above) {
            return pushedBeyond(name, counter, wanted, deadline);
        }
        if (counter < wanted) {
            throw new Misconfigured(name, """
                    other applications drove its counter over 2^64-1, and it wrapped around to 0; raise it above every \
                    value in use""");
        }
        Block block = new Block(counter - wanted + 1, wanted, 1);
        return Optional.of(new Reservation(block, SequenceDefinition.of(name), 0));
    }

    /**
     * If this call drove the counter beyond the maximum, takes the values that were left, and undoes the rest. If
     * the counter was already beyond it, because of others or while they undo their additions, undoes everything.
     */
    private Optional<Reservation> pushedBeyond(String name, long counter, long wanted, Deadline deadline)
            throws InterruptedException {
        long before = counter - wanted;
        long back = before < 0 ? before : Long.MAX_VALUE;
        undo(name, counter, back, deadline);
        return before < 0 || before == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(new Reservation(
                        new Block(before + 1, Long.MAX_VALUE - before, 1), SequenceDefinition.of(name), 0));
    }

    /**
     * Puts back a counter that is still where this call left it. Waits while it is higher: the instances that pushed it
     * further put it back first, in reverse order. Never acts after a lost answer, and never changes a counter that is
     * lower, because another application has set it. If time runs out, the counter stays where it is, and the next
     * instance that reads it reports an error.
     */
    private void undo(String name, long from, long to, Deadline deadline) throws InterruptedException {
        Pauses pauses = new Pauses(deadline.nanos(), LONGEST_PAUSE);
        do {
            try {
                Optional<Documents.Found> found = documents.get(keys.of(name), deadline);
                long counter = found.flatMap(there -> there.content().bits()).orElse(0L);
                int higher = Long.compareUnsigned(counter, from);
                if (found.isEmpty() || higher < 0) {
                    return;
                }
                if (higher == 0) {
                    documents.replace(
                            keys.of(name), DocumentContent.of(to), found.get().cas(), deadline);
                    return;
                }
            } catch (CouchbaseException e) {
                if (!TransientErrors.is(e)) {
                    return; // the values taken remain valid
                }
            }
        } while (pauses.pause());
    }

    private long add(String name, long wanted, Deadline deadline) throws InterruptedException {
        try {
            return documents.increment(keys.of(name), wanted, deadline);
        } catch (DocumentNotFoundException e) {
            seen.remove(name);
            throw missing.sequence(name);
        } catch (CouchbaseException e) {
            seen.remove(name);
            if (CouchbaseFailures.isRefusal(e)) {
                // The server has no specific error for a document that is not a counter, so read it.
                look(name, e, deadline);
            }
            throw e;
        }
    }

    /** Throws if a document is not one of our counters; other failures of the read are ignored. */
    private void look(String name, CouchbaseException why, Deadline deadline) throws InterruptedException {
        try {
            found(name, deadline);
        } catch (CouchbaseException e) {
            why.addSuppressed(e);
        }
    }

    private long known(String name, Deadline deadline) throws InterruptedException {
        Long known = seen.get(name);
        if (known != null) {
            return known;
        }
        SequenceState state =
                found(name, deadline).orElseThrow(() -> missing.sequence(name)).state();
        seen.put(name, state.nextValue());
        return state.nextValue();
    }

    private Reservation taken(String name, long count, Deadline deadline) throws InterruptedException {
        AtomicReference<Reservation> reservation = new AtomicReference<>();
        rewritten(
                name,
                state -> {
                    SequenceState.Taken taken = state.take(count);
                    reservation.set(taken.reservation());
                    return Optional.of(taken.after());
                },
                deadline);
        return Objects.requireNonNull(reservation.get());
    }

    @Override
    public Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change) {
        return attempts.writing(name, deadline -> Optional.of(rewritten(name, change, deadline)));
    }

    private Optional<SequenceState> rewritten(
            String name, Function<SequenceState, Optional<SequenceState>> change, Deadline deadline)
            throws InterruptedException {
        Read read = there(name, deadline);
        Optional<SequenceState> after = change.apply(read.state()).map(BareCounters::held);
        if (after.isPresent() && !after.get().equals(read.state())) {
            write(name, after.get(), read.cas(), deadline);
        }
        return after;
    }

    private void write(String name, SequenceState state, long cas, Deadline deadline) throws InterruptedException {
        try {
            documents.replace(keys.of(name), content(state), cas, deadline);
        } catch (DocumentNotFoundException e) {
            throw missing.sequence(name); // dropped since it was read
        }
        seen.put(name, state.nextValue());
    }

    @Override
    public void create(SequenceDefinition definition) {
        SequenceState state = SequenceState.fresh(adopted(definition), 0);
        String name = definition.name();
        boolean created = attempts.writing(name, deadline -> {
            try {
                documents.insert(keys.of(name), content(state), deadline);
                return Optional.of(true);
            } catch (DocumentExistsException e) {
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
                name, deadline -> Optional.of(found(name, deadline).map(Read::state)));
    }

    @Override
    public void remove(String name) {
        attempts.writing(name, deadline -> {
            seen.remove(name);
            try {
                documents.remove(keys.of(name), deadline);
            } catch (DocumentNotFoundException e) {
                throw missing.sequence(name);
            }
            return Optional.of(true);
        });
    }

    private Read there(String name, Deadline deadline) throws InterruptedException {
        return found(name, deadline).orElseThrow(() -> missing.sequence(name));
    }

    private Optional<Read> found(String name, Deadline deadline) throws InterruptedException {
        Pauses pauses = new Pauses(Math.min(deadline.nanos(), System.nanoTime() + grace.toNanos()), LONGEST_PAUSE);
        while (true) {
            Optional<Documents.Found> found = documents.get(keys.of(name), deadline);
            boolean above = found.flatMap(there -> there.content().bits())
                    .filter(counter -> counter < 0)
                    .isPresent();
            if (!above || !pauses.pause()) {
                return found.map(there -> new Read(state(name, there.content()), there.cas()));
            }
        }
    }

    private SequenceState state(String name, DocumentContent content) {
        BigInteger counter = content.counter().orElseThrow(() -> missing.otherKind(name, content));
        if (counter.compareTo(MAX) > 0) {
            throw new Misconfigured(name, """
                    its counter %s is above the maximum %s, and the server wraps around to 0 after 2^64-1, so nothing \
                    is drawn; remove document '%s' in %s or set it \
                    to the last value used""".formatted(counter, Long.MAX_VALUE, keys.of(name), missing.place()));
        }
        long last = counter.longValueExact();
        boolean usedUp = last == Long.MAX_VALUE;
        return new SequenceState(SequenceDefinition.of(name), usedUp ? last : last + 1, usedUp, 0);
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
