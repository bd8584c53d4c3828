// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reserves in transactions of its own, and guards what comes back. Thread-safe.
 *
 * <ol>
 *   <li>Remember how far this process has seen the counter.
 *   <li>Reserve. When the commit's answer is lost, the range is given up and reserved anew, twice.
 *   <li>A block that is not beyond what was remembered, in the same or an older epoch, stops the sequence: regressed.
 * </ol>
 *
 * <p>What is compared is what had been seen <em>before</em> the reservation was sent: two that are under way at once may
 * come back in either order.
 */
public final class Reserver {

    private static final int MAX_UNKNOWN_OUTCOMES = 3;

    private final String name;
    private final SequenceStore store;
    private final @Nullable ConfirmingStore confirming;
    private final Listeners listener;
    private final Timing timing;
    private final AtomicReference<Seen> seen = new AtomicReference<>(Seen.NOTHING);

    // How often giving values back began, and ended: what is under way meanwhile may bring them again, which is no
    // regression.
    private final AtomicInteger returnsBegun = new AtomicInteger();
    private final AtomicInteger returnsEnded = new AtomicInteger();

    public Reserver(String name, SequenceStore store, Listeners listener, Timing timing) {
        this.name = name;
        this.store = store;
        this.confirming = store instanceof ConfirmingStore confirms ? confirms : null;
        this.listener = listener;
        this.timing = timing;
    }

    /** How far the counter was seen: the value dealt last, in which epoch and direction. */
    private record Seen(boolean any, long epoch, long last, boolean ascending) {
        static final Seen NOTHING = new Seen(false, 0, 0, true);

        Seen and(Reservation later) {
            Block block = later.block();
            return before(later) ? new Seen(true, later.epoch(), block.last(), block.increment() > 0) : this;
        }

        boolean before(Reservation later) {
            if (!any || later.epoch() > epoch) {
                return true;
            }
            long first = later.block().first();
            return later.epoch() == epoch && (ascending ? first > last : first < last);
        }
    }

    Reservation reserve(long count) {
        for (int unknown = 1; ; unknown++) {
            int returned = returnsEnded.get(); // anew for each try: others may have seen more since the last was sent
            Seen before = seen();
            long began = timing.now();
            try {
                return guarded(before, returned, store.reserve(name, count), began);
            } catch (SequenceException.CommitOutcomeUnknown e) {
                listener.tell(l -> l.outcomeUnknown(name, count));
                if (unknown == MAX_UNKNOWN_OUTCOMES) {
                    throw failed(answersLost(e));
                }
            } catch (Throwable e) {
                throw failed(count, e);
            }
        }
    }

    /** The advice of a lost commit is for those who stored something in its transaction; a draw alone can be repeated. */
    private SequenceException answersLost(SequenceException.CommitOutcomeUnknown last) {
        return new SequenceException.Unavailable(
                name,
                "the store's answers to " + MAX_UNKNOWN_OUTCOMES
                        + " reservations in a row were lost; draw again, the values of those may be lost and are never dealt;"
                        + " check the connection to the store",
                last);
    }

    /** Whether a store that throws this has done nothing: what it may throw says so, and anything else says nothing. */
    public static boolean nothingDone(Throwable thrown) {
        return thrown instanceof SequenceException && !(thrown instanceof SequenceException.CommitOutcomeUnknown);
    }

    /** As {@link #reserve}, if the store can do that without waiting; otherwise empty. */
    Optional<Reservation> reserveNow(long count) {
        if (!(store instanceof ImmediateStore immediate)) {
            return Optional.empty();
        }
        int returned = returnsEnded.get();
        Seen before = seen();
        long began = timing.now();
        try {
            Optional<Reservation> reservation = immediate.reserveNow(name, count);
            reservation.ifPresent(r -> guarded(before, returned, r, began));
            return reservation;
        } catch (SequenceException.CommitOutcomeUnknown e) {
            listener.tell(l -> l.outcomeUnknown(name, count));
            return Optional.empty(); // again, as reserve does it
        } catch (Throwable e) {
            throw failed(count, e);
        }
    }

    /** The counter as a linearizable read shows it. */
    SequenceState read() {
        try {
            return Objects.requireNonNull(confirming).read(name);
        } catch (Throwable e) {
            throw failed(StoreFailures.ofStore(name, e));
        }
    }

    /** As {@link #read}, on a caller's thread; empty if that did not come about. */
    Optional<SequenceState> readHere(Duration atMost) {
        try {
            return Objects.requireNonNull(confirming).readHere(name, atMost);
        } catch (Throwable e) {
            return Optional.empty(); // the executor reads again, and reports what it finds
        }
    }

    /** What calls of the store have waited for, by {@link SequenceException#waitedFor}. */
    Optional<String> waitedFor(Duration patience) {
        return StoreFailures.waitedFor(store, patience);
    }

    /** Whether calls of the store wait now, before they reach it. */
    boolean waits() {
        return StoreFailures.awaited(store, Duration.ZERO).isPresent();
    }

    SequenceStore store() {
        return store;
    }

    boolean immediate() {
        return store instanceof ImmediateStore;
    }

    /** Gives values back that will not be dealt, as far as the store takes them, or reports them lost. */
    public void putAway(List<Stock.Held> unused, boolean givesBack) {
        List<Stock.Held> left = new ArrayList<>(unused);
        Collections.sort(left);
        boolean taken = givesBack;
        for (int i = left.size() - 1; i >= 0; i--) { // the store takes back only what it dealt last
            if (taken) {
                taken = givenBack(left.get(i));
            } else {
                lose(left.get(i).block());
            }
        }
    }

    /** Whether it went back; if not, it is reported lost, or that it may be. */
    private boolean givenBack(Stock.Held held) {
        try {
            if (giveBack(held.block(), held.epoch())) {
                listener.tell(l -> l.givenBack(name, held.block()));
                return true;
            }
            lose(held.block());
        } catch (Throwable e) {
            if (nothingDone(e)) {
                lose(held.block());
            } else {
                listener.tell(l -> l.outcomeUnknown(name, held.block().count()));
            }
            listener.tell(l -> l.failed(name, StoreFailures.ofStore(name, e)));
        }
        return false;
    }

    private void lose(Block values) {
        listener.tell(l -> l.lost(name, values));
    }

    /** Puts unused values back, if the store keeps a catalogue and no session has reserved since; then they count as unseen. */
    boolean giveBack(Block unused, long epoch) {
        if (!(store instanceof SequenceCatalog catalog)) {
            return false;
        }
        returnsBegun.incrementAndGet();
        try {
            if (!catalog.giveBack(name, unused, epoch)) {
                return false;
            }
            seen.set(Seen.NOTHING);
            return true;
        } catch (Throwable e) {
            if (!nothingDone(e)) {
                seen.set(Seen.NOTHING); // they may be back
            }
            throw e;
        } finally {
            returnsEnded.incrementAndGet();
        }
    }

    private Reservation guarded(Seen before, int returned, Reservation reservation, long began) {
        if (!before.before(reservation) && returned == returnsBegun.get()) {
            throw new SequenceException.Regressed(name, reservation.block().first(), before.last());
        }
        seen.updateAndGet(s -> s.and(reservation));
        listener.tell(l -> {
            l.reserved(name, reservation.block(), Duration.ofNanos(timing.now() - began), reservation.definition());
            warnWhenNearlyExhausted(l, reservation);
        });
        return reservation;
    }

    private static void warnWhenNearlyExhausted(SequenceListener listener, Reservation reservation) {
        SequenceDefinition definition = reservation.definition();
        Block block = reservation.block();
        double before = usedRatio(definition, (double) block.first());
        double after = usedRatio(definition, (double) block.last() + block.increment());
        if (!definition.cycle() && ((before < 0.9 && after >= 0.9) || (before < 0.99 && after >= 0.99))) {
            BigInteger left = new SequenceState(definition, block.last(), false, reservation.epoch())
                    .valuesLeft()
                    .subtract(BigInteger.ONE);
            listener.nearlyExhausted(definition.name(), left);
        }
    }

    /** The share of the range behind a counter; {@link SequenceState#usedRatio}, but rough and free of allocation. */
    private static double usedRatio(SequenceDefinition definition, double counter) {
        double size = (double) definition.max() - definition.min() + 1;
        return Math.abs(counter - definition.origin()) / size;
    }

    private Seen seen() {
        return Objects.requireNonNull(seen.get());
    }

    private SequenceException failed(long count, Throwable thrown) {
        if (!nothingDone(thrown)) {
            listener.tell(l -> l.outcomeUnknown(name, count));
        }
        return failed(StoreFailures.ofStore(name, thrown));
    }

    private SequenceException failed(SequenceException failure) {
        listener.tell(l -> l.failed(name, failure));
        return failure;
    }
}
