// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.jdbc.connection.Connections;
import dev.seriatim.jdbc.sharing.Sharing;
import dev.seriatim.store.AwaitingStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.SharedTransaction;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A store whose units of work run on the connections of another data source. Two instances over the same ones are
 * equal.
 */
record OtherConnections(JdbcStore store, DataSource source, Connections connections, Sharing sharing)
        implements GroupingStore<Connection>, AwaitingStore {

    @Override
    public SharedTransaction<Connection> begin(String name) {
        return sharing.begin(name);
    }

    @Override
    public boolean answers(String name) {
        return sharing.answers(name);
    }

    @Override
    public Optional<String> awaits(Duration atLeast) {
        return connections.awaits(atLeast, sharing.failures().database());
    }

    @Override
    public boolean equals(Object other) {
        // A proxy that delegates every call to its target is not even equal to itself.
        return other instanceof OtherConnections others
                && store.equals(others.store)
                && Objects.equals(source, others.source);
    }

    @Override
    public int hashCode() {
        return Objects.hash(store, source);
    }

    @Override
    public String toString() {
        return store + ", over connections from another data source";
    }
}
