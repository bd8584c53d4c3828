// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** One transaction at an isolation level at which it sees what there was when it first read, as most engines have it. */
record RepeatableRead() implements Snapshot {

    @Override
    @SuppressWarnings("try") // the ends are there to be closed
    public <R> R of(Connection connection, SqlWork<R> queries) throws SQLException {
        int before = connection.getTransactionIsolation();
        try (End settings = atLeast(connection, before);
                End transaction = Snapshot.begin(connection)) {
            return queries.run(connection);
        }
    }

    private static End atLeast(Connection connection, int before) throws SQLException {
        // Where it is the default it is not set: not every engine that has it can set it.
        if (before >= Connection.TRANSACTION_REPEATABLE_READ) {
            return () -> {};
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return () -> connection.setTransactionIsolation(before);
    }
}
