// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.TransactionalStore;

/**
 * Draws once per transaction and sequence, and refuses to do it again: the published simple generator, which remembers
 * nothing, would deal the same value twice, since a buffered write is not seen by later reads. Thread-safe.
 */
record SingleDraws(CallersDraws draws) implements TransactionalStore<TransactionContext> {

    @Override
    public Reservation reserve(TransactionContext transaction, String name, long count) {
        return draws.alone(transaction, name, attempt -> {
            if (draws.hasDrawn(attempt, name)) {
                throw new Misconfigured(
                        name,
                        "this transaction has drawn from it, and what it has buffered is not seen by its own reads;"
                                + " draw once per transaction, or from the store itself, which counts on");
            }
            return draws.reserve(transaction, name, count);
        });
    }
}
