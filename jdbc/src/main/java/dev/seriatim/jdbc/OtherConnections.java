// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.GroupingStore;
import dev.seriatim.SharedTransaction;
import java.sql.Connection;
import javax.sql.DataSource;

/** A store whose units of work run on the connections of another data source. Two over the same ones are equal. */
record OtherConnections(JdbcStore store, DataSource source) implements GroupingStore<Connection> {

    @Override
    public SharedTransaction<Connection> begin(String name) {
        return store.sharing(source).begin(name);
    }

    @Override
    public boolean answers(String name) {
        return store.sharing(source).answers(name);
    }

    @Override
    public String toString() {
        return store + ", over connections of another data source";
    }
}
