// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static dev.seriatim.jdbc.trials.Promise.GAPLESS;
import static dev.seriatim.jdbc.trials.Promise.ORDERED;

import dev.seriatim.Allocation;
import java.util.Locale;
import java.util.Set;

/** The modes on trial, each with what it promises and how one draws in it: a new mode is one line here. */
@SuppressWarnings("ImmutableEnumChecker") // functions, and a set that nobody changes
enum Mode {
    SYNC(InTransaction::open, ORDERED, GAPLESS),
    ASYNC(outside(Allocation.async()), ORDERED),
    COMBINED(outside(Allocation.combined()), ORDERED),
    BATCH(outside(Allocation.batch(10))),
    ASYNC_BATCH(outside(Allocation.asyncBatch(10, 5))),
    ADAPTIVE(outside(Allocation.adaptive()));

    /** Begins to draw from the sequence that is called as the mode is. */
    @FunctionalInterface
    interface Opening {
        Draws open(Application application, Mode mode);
    }

    private final Opening opening;
    private final Set<Promise> promises;

    Mode(Opening opening, Promise... promises) {
        this.opening = opening;
        this.promises = Set.of(promises);
    }

    Draws open(Application application) {
        return opening.open(application, this);
    }

    boolean promises(Promise promise) {
        return promises.contains(promise);
    }

    /** Where the numbers drawn in a gapless mode are stored, in the transaction that drew them. */
    Ledger ledger() {
        return new Ledger("drawn_" + name().toLowerCase(Locale.ROOT));
    }

    private static Opening outside(Allocation allocation) {
        return (application, mode) -> application.sequences().open(mode.name(), allocation)::next;
    }
}
