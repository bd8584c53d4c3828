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
 * Draws from bare counters, which others may increment as well: {@code increment(key, 1, 1)}. A counter holds the value drawn
 * last; its sequence is 1, 2, 3, … up to 2<sup>63</sup>-1, and its epoch always 0.
 *
 * <p>The server counts on to 2<sup>64</sup>-1 and then begins at 0 again. So a counter is looked at before it is first
 * incremented, and near our maximum it is only ever written by comparing it.
 *
 * <p>Thread-safe.
 */
final class BareCounters implements DocumentLayout {

    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    /** The most that one call adds. */
    static final long MOST_AT_ONCE = 1L << 40;

    /** From here on nothing is added blindly. */
    static final long EDGE = Long.MAX_VALUE - 2 * MOST_AT_ONCE;

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(8);

    /** How long one that is above our maximum may take to be put back by whoever of us has pushed it there. */
    private static final Duration GRACE = Duration.ofMillis(400);

    private final Documents documents;
    private final Retries attempts;
    private final Keys keys;
    private final Missing missing;
    private final Duration grace;
    // How far each was seen; says only whether it may be near the maximum.
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

    /** Takes values by adding; empty when the counter was too far, and nothing is left. */
    private Optional<Reservation> added(String name, long wanted, Deadline deadline) throws InterruptedException {
        long counter = add(name, wanted, deadline);
        boolean above = counter < 0; // an unsigned number
        seen.put(name, above ? Long.MAX_VALUE : counter);
        if (above) {
            return pushedBeyond(name, counter, wanted, deadline);
        }
        if (counter < wanted) {
            throw new Misconfigured(
                    name,
                    "others drove its counter over 2^64-1, and it began at 0 again; raise it above every value in use");
        }
        Block block = new Block(counter - wanted + 1, wanted, 1);
        return Optional.of(new Reservation(block, SequenceDefinition.of(name), 0));
    }

    /**
     * Takes what was left, where it was this call that drove the counter beyond the maximum, and undoes the rest of what it
     * added. Where the counter was beyond before, by others' doing or while they undo theirs, it undoes all.
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
     * Puts a counter back that stands where our own call has left it. Waits while it stands higher: those who have pushed it on
     * put it back in turn, last come first. Never goes by a lost answer, nor touches a counter that is lower: somebody has set
     * it. When the time is up it stays where it is, and whoever looks at it next is refused and told so.
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
                    return; // what was taken is not worth less for it
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
                // The server has no words of its own for a document that is no counter: a look at it tells.
                look(name, e, deadline);
            }
            throw e;
        }
    }

    /** Throws if a document is no counter of ours; what else befalls the look does not matter. */
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
            throw new Misconfigured(
                    name,
                    "its counter " + counter + " is above our maximum " + Long.MAX_VALUE
                            + ", and the server's goes back to 0 after 2^64-1, so nothing is drawn; remove document '"
                            + keys.of(name) + "' in " + missing.place() + " or set it to the value used last");
        }
        long last = counter.longValueExact();
        boolean usedUp = last == Long.MAX_VALUE;
        return new SequenceState(SequenceDefinition.of(name), usedUp ? last : last + 1, usedUp, 0);
    }

    private static DocumentContent content(SequenceState state) {
        return DocumentContent.of(state.usedUp() ? state.nextValue() : state.nextValue() - 1);
    }

    /** What a counter holds of a state: all but the epoch. */
    private static SequenceState held(SequenceState state) {
        SequenceDefinition definition = state.definition();
        if (!definition.equals(SequenceDefinition.of(definition.name()))) {
            throw noRoom(definition.name());
        }
        return new SequenceState(definition, state.nextValue(), state.usedUp(), 0);
    }

    /** Any start will do, since that is where the counter begins to stand. */
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
        return new Misconfigured(
                name,
                "a bare counter holds the value drawn last and nothing else: it is 1 … " + Long.MAX_VALUE
                        + " by 1 in blocks of " + SequenceDefinition.DEFAULT_CACHE
                        + " without a cycle; ask for that, or open the store without kind=counter");
    }
}
