// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.TransactionalSequences;
import java.util.function.Consumer;

/** Sequences in the memory of this process, for tests and demonstrations. Nothing survives the process. Thread-safe. */
public final class InMemorySequences extends TransactionalSequences<InMemoryTransaction, InMemoryStore> {

    private InMemorySequences(InMemoryStore store, boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        super(patience -> store, owned, settings);
    }

    /** Opens the sequences of a new, empty store. */
    public static InMemorySequences open() {
        return new InMemorySequences(new InMemoryStore(), true, settings -> {});
    }

    /** Opens the sequences of an existing store, with the given settings. Closing them does not close the store. */
    public static InMemorySequences over(InMemoryStore store, Consumer<? super StoreSequences.Builder> settings) {
        return new InMemorySequences(store, false, settings);
    }
}
