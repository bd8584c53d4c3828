// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.TransactionalStore;

/**
 * Draws once per transaction and sequence, and refuses a second draw. The published simple generator, which keeps no
 * state, would deal the same value twice, because later reads do not see a buffered write. Thread-safe.
 */
record SingleDraws(CallersDraws draws) implements TransactionalStore<TransactionContext> {

    @Override
    public Reservation reserve(TransactionContext transaction, String name, long count) {
        return draws.alone(transaction, name, attempt -> {
            if (draws.hasDrawn(attempt, name)) {
                throw new Misconfigured(
                        name,
                        "this transaction has already drawn from it, and its own reads do not see buffered writes;"
                                + " draw once per transaction, or from the store itself, which remembers its draws");
            }
            return draws.reserve(transaction, name, count);
        });
    }
}
