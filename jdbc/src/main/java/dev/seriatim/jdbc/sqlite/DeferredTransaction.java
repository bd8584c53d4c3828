// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import dev.seriatim.jdbc.dialect.Snapshot;
import dev.seriatim.jdbc.dialect.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** An SQLite transaction that takes only a reader's lock; by default, the driver would begin one that writes. */
record DeferredTransaction() implements Snapshot {

    @Override
    @SuppressWarnings("try") // the resource is declared only to be closed
    public <R> R of(Connection connection, SqlWork<R> queries) throws SQLException {
        execute(connection, "BEGIN DEFERRED");
        try (End end = () -> execute(connection, "ROLLBACK")) {
            return queries.run(connection);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
