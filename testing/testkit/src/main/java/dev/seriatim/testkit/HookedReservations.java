// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A real store with hooks before each reservation, and after its commit. Reads are those of the store, on the executor. Thread-safe.
 */
final class HookedReservations implements ConfirmingStore {

    /** May throw anything. */
    @FunctionalInterface
    interface Hook {
        void run() throws Throwable;
    }

    private final SequenceStore real;
    volatile Hook before = () -> {};
    volatile Hook committed = () -> {};
    volatile Hook beforeRead = () -> {};

    /** Runs after the counter has been read, before the answer. */
    volatile Hook read = () -> {};

    /** The sequence for which the hooks run; null for every one. */
    volatile @Nullable String only;

    final AtomicInteger reservations = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();

    HookedReservations(SequenceStore real) {
        this.real = real;
    }

    @Override
    public Reservation reserve(String name, long count) {
        reservations.incrementAndGet();
        run(name, before);
        Reservation reservation = real.reserve(name, count);
        run(name, committed);
        return reservation;
    }

    @Override
    public SequenceState read(String name) {
        reads.incrementAndGet();
        run(name, beforeRead);
        SequenceState counter = ((ConfirmingStore) real).read(name);
        run(name, read);
        return counter;
    }

    @Override
    public Optional<String> whyNotConfirmed() {
        return real instanceof ConfirmingStore confirming
                ? confirming.whyNotConfirmed()
                : Optional.of("its reads may lag behind");
    }

    private void run(String name, Hook hook) {
        String hooked = only;
        if (hooked != null && !hooked.equals(name)) {
            return;
        }
        try {
            hook.run();
        } catch (Throwable e) {
            throw Errors.thrown(e);
        }
    }
}
