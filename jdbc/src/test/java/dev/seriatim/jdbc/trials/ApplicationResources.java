// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.StoreDriver;
import java.time.Duration;

/** The resources of a process that draws. */
record ApplicationResources(JdbcStore store, StoreSequences sequences) implements AutoCloseable {

    static ApplicationResources open(String url, Duration patience) {
        JdbcStore store = (JdbcStore) StoreDriver.open(url);
        return new ApplicationResources(
                store, StoreSequences.builder(store).patience(patience).build());
    }

    @Override
    public void close() {
        sequences.close();
        store.close();
    }
}
