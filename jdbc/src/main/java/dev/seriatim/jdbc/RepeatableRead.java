// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** One transaction at an isolation level at which it sees what there was when it first read, as most engines have it. */
record RepeatableRead() implements Snapshot {

    @Override
    @SuppressWarnings("try") // the end is there to be closed
    public <R> R of(Connection connection, Transactions.Work<R> queries) throws SQLException {
        int before = connection.getTransactionIsolation();
        // Where it is the default it is not set: not every engine that has it can set it.
        boolean weaker = before < Connection.TRANSACTION_REPEATABLE_READ;
        if (weaker) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        }
        connection.setAutoCommit(false);
        try (End end = () -> end(connection, weaker, before)) {
            return queries.run(connection);
        }
    }

    private static void end(Connection connection, boolean weaker, int before) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        if (weaker) {
            connection.setTransactionIsolation(before);
        }
    }
}
