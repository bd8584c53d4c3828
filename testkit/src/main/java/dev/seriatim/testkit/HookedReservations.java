// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;

/** A real store with hooks before each reservation, and after its commit. Thread-safe. */
final class HookedReservations implements SequenceStore {

    /** May throw anything. */
    @FunctionalInterface
    interface Hook {
        void run() throws Throwable;
    }

    private final SequenceStore real;
    volatile Hook before = () -> {};
    volatile Hook committed = () -> {};

    HookedReservations(SequenceStore real) {
        this.real = real;
    }

    @Override
    public Reservation reserve(String name, long count) {
        run(before);
        Reservation reservation = real.reserve(name, count);
        run(committed);
        return reservation;
    }

    private static void run(Hook hook) {
        try {
            hook.run();
        } catch (Throwable e) {
            throw Errors.thrown(e);
        }
    }
}
