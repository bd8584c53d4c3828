// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.TransactionScope;

/** A store in memory, for tests to override where it shall fail. */
abstract class FlawedStore extends ForwardingStore<InMemoryStore>
        implements OpenStore, TransactionScope<InMemoryTransaction> {

    FlawedStore() {
        super(new InMemoryStore());
    }

    @Override
    public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
        return behind.reserve(transaction, name, count);
    }

    @Override
    public <R, X extends Exception> R inTransaction(Work<InMemoryTransaction, R, X> work) throws X {
        return behind.inTransaction(work);
    }

    @Override
    public void close() {
        behind.close();
    }
}
