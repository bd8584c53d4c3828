// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.SequenceException;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import java.util.Optional;

/** Finds out which modes a store offers. */
public final class ModeOffer {

    /** No sequence of this name needs to exist. */
    private static final String ANY = "seriatim_any";

    private static final String NO_TRANSACTIONS = "it has no transactions, since its counters are not part of one";

    private ModeOffer() {}

    /** Returns why a store does not offer a mode, as a clause about the store; empty if it does. */
    public static Optional<String> missing(OpenStore store, DrawMode mode) {
        return switch (mode) {
            case SYNC ->
                store instanceof TransactionScope ? refusedInTransactions(store) : Optional.of(NO_TRANSACTIONS);
            case GROUPED ->
                store instanceof GroupingStore ? refusedInTransactions(store) : Optional.of(NO_TRANSACTIONS);
            case POOLED -> withoutPool(store);
            case CONFIRMED -> ConfirmingStore.whyNot(store);
            default -> Optional.empty();
        };
    }

    private static Optional<String> refusedInTransactions(OpenStore store) {
        return store instanceof GaplessStore<?> gapless ? gapless.whyNotGapless() : Optional.empty();
    }

    private static Optional<String> withoutPool(OpenStore store) {
        if (!(store instanceof GaplessStore<?> pooling)) {
            return Optional.of("it cannot lay numbers out as rows");
        }
        try {
            pooling.pool(ANY);
            return Optional.empty();
        } catch (SequenceException.Misconfigured e) {
            String name = "sequence '" + ANY + "': "; // no sequence of the user's
            return Optional.of(String.valueOf(e.getMessage()).replace(name, ""));
        }
    }
}
