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
 * Reserves in separate transactions, and checks that the counter has not gone back. Thread-safe.
 *
 * <ol>
 *   <li>Remember the last value that this process has seen.
 *   <li>Reserve. If the commit's answer is lost, give the range up and reserve again, at most twice.
 *   <li>A block that is not beyond the remembered value, in the same or an older epoch, stops the sequence: regressed.
 * </ol>
 *
 * <p>A block is compared with the value seen <em>before</em> its reservation was sent, because two concurrent reservations may arrive in
 * either order.
 */
public final class Reserver {

    private static final int MAX_UNKNOWN_OUTCOMES = 3;

    private final String name;
    private final SequenceStore store;
    private final @Nullable ConfirmingStore confirming;
    private final Listeners listener;
    private final Timing timing;
    private final AtomicReference<Seen> seen = new AtomicReference<>(Seen.NOTHING);

    // Values that are given back meanwhile may arrive again, which is no regression.
    private final AtomicInteger returnsBegun = new AtomicInteger();
    private final AtomicInteger returnsEnded = new AtomicInteger();

    public Reserver(String name, SequenceStore store, Listeners listener, Timing timing) {
        this.name = name;
        this.store = store;
        this.confirming = store instanceof ConfirmingStore confirms ? confirms : null;
        this.listener = listener;
        this.timing = timing;
    }

    /** The last value seen, with its epoch and direction. */
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
            int returned = returnsEnded.get(); // for each attempt, since other threads may have seen more
            Seen before = seen();
            long began = timing.now();
            try {
                return guarded(before, returned, store.reserve(name, count), began);
            } catch (SequenceException.CommitOutcomeUnknown e) {
                listener.call(l -> l.outcomeUnknown(name, count));
                if (unknown == MAX_UNKNOWN_OUTCOMES) {
                    throw failed(answersLost(e));
                }
            } catch (Throwable e) {
                throw failed(count, e);
            }
        }
    }

    /** Not {@code CommitOutcomeUnknown}: its remedy is for callers that stored rows. A draw can be repeated. */
    private SequenceException answersLost(SequenceException.CommitOutcomeUnknown last) {
        return new SequenceException.Unavailable(
                name,
                "the store's answers to " + MAX_UNKNOWN_OUTCOMES
                        + " reservations in a row were lost; draw again: values may be lost, but none is dealt twice;"
                        + " check the connection to the store",
                last);
    }

    /** Whether the store has reserved nothing for certain: only its declared exceptions, except an unknown outcome, imply this. */
    public static boolean nothingDone(Throwable thrown) {
        return thrown instanceof SequenceException && !(thrown instanceof SequenceException.CommitOutcomeUnknown);
    }

    /** Like {@link #reserve}, if the store can reserve without waiting; otherwise empty. */
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
            listener.call(l -> l.outcomeUnknown(name, count));
            return Optional.empty(); // the executor repeats it
        } catch (Throwable e) {
            throw failed(count, e);
        }
    }

    /** Returns the counter by a linearizable read. */
    SequenceState read() {
        try {
            return Objects.requireNonNull(confirming).read(name);
        } catch (Throwable e) {
            throw failed(StoreFailures.ofStore(name, e));
        }
    }

    /** Like {@link #read}, on the caller's thread. Empty if the store cannot bound the wait. */
    Optional<SequenceState> readHere(Duration atMost) {
        try {
            return Objects.requireNonNull(confirming).readHere(name, atMost);
        } catch (Throwable e) {
            return Optional.empty(); // the executor reads again, and reports the failure
        }
    }

    SequenceStore store() {
        return store;
    }

    boolean immediate() {
        return store instanceof ImmediateStore;
    }

    /** Gives unused values back, as far as the store accepts them, and reports the rest lost. */
    public void putAway(List<Stock.Unused> unused, boolean givesBack) {
        List<Stock.Unused> left = new ArrayList<>(unused);
        Collections.sort(left);
        boolean accepted = givesBack;
        for (int i = left.size() - 1; i >= 0; i--) { // the store accepts only the values that it dealt last
            if (accepted) {
                accepted = givenBack(left.get(i));
            } else {
                lose(left.get(i).block());
            }
        }
    }

    /** Returns whether the values went back. Otherwise reports that they are lost, or that the outcome is unknown. */
    private boolean givenBack(Stock.Unused unused) {
        try {
            if (giveBack(unused.block(), unused.epoch())) {
                listener.call(l -> l.givenBack(name, unused.block()));
                return true;
            }
            lose(unused.block());
        } catch (Throwable e) {
            if (nothingDone(e)) {
                lose(unused.block());
            } else {
                listener.call(l -> l.outcomeUnknown(name, unused.block().count()));
            }
            listener.call(l -> l.failed(name, StoreFailures.ofStore(name, e)));
        }
        return false;
    }

    private void lose(Block values) {
        listener.call(l -> l.lost(name, values));
    }

    /** Gives values back, if no session has reserved since. They then count as unseen. */
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
                seen.set(Seen.NOTHING); // the values may be back
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
        listener.call(l -> {
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

    /** Like {@link SequenceState#usedRatio}, but approximate and without allocation. */
    private static double usedRatio(SequenceDefinition definition, double counter) {
        double size = (double) definition.max() - definition.min() + 1;
        return Math.abs(counter - definition.origin()) / size;
    }

    private Seen seen() {
        return Objects.requireNonNull(seen.get());
    }

    private SequenceException failed(long count, Throwable thrown) {
        if (!nothingDone(thrown)) {
            listener.call(l -> l.outcomeUnknown(name, count));
        }
        return failed(StoreFailures.ofStore(name, thrown));
    }

    private SequenceException failed(SequenceException failure) {
        listener.call(l -> l.failed(name, failure));
        return failure;
    }
}
