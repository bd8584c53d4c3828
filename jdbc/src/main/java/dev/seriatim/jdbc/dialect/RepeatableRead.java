// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction at an isolation level that keeps showing the state of its first read, which most engines support. */
record RepeatableRead() implements Snapshot {

    @Override
    @SuppressWarnings("try") // the resources are declared only to be closed
    public <R> R of(Connection connection, SqlWork<R> queries) throws SQLException {
        int before = connection.getTransactionIsolation();
        try (End settings = atLeast(connection, before);
                End transaction = Snapshot.begin(connection)) {
            return queries.run(connection);
        }
    }

    private static End atLeast(Connection connection, int before) throws SQLException {
        // Not set where it is the default: not every engine that supports it can set it.
        if (before >= Connection.TRANSACTION_REPEATABLE_READ) {
            return () -> {};
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return () -> connection.setTransactionIsolation(before);
    }
}
