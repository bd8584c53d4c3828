// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.store.StoreDriver;
import java.time.Duration;

/** The resources of a process that draws. */
record ApplicationResources(JdbcStore store, StoreSequences sequences) implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    static ApplicationResources open(Database database) {
        JdbcStore store = (JdbcStore) StoreDriver.open(url(database));
        return new ApplicationResources(
                store, StoreSequences.builder(store).patience(PATIENCE).build());
    }

    /** Returns the URL of the store in a database. */
    static String url(Database database) {
        String url = database.url();
        return url.startsWith("jdbc:sqlite:") ? url.substring("jdbc:".length()) : url;
    }

    @Override
    public void close() {
        sequences.close();
        store.close();
    }
}
