// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** How an engine shows one state of the database to several queries, and keeps no writer waiting meanwhile. */
interface Snapshot {

    /**
     * Runs queries that all see the same state. The connection is in auto-commit mode before and after; when this fails
     * with an {@link SQLException}, it may be of no use any more.
     */
    <R> R of(Connection connection, Transactions.Work<R> queries) throws SQLException;

    /** Ends a snapshot. */
    @FunctionalInterface
    interface End extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }
}
