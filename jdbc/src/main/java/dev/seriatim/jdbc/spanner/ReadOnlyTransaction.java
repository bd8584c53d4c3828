// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.spanner;

import dev.seriatim.jdbc.dialect.Snapshot;
import dev.seriatim.jdbc.dialect.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;

/** A read-only transaction, for engines whose other transactions lock what they read. */
record ReadOnlyTransaction() implements Snapshot {

    @Override
    @SuppressWarnings("try") // the resources are declared only to be closed
    public <R> R of(Connection connection, SqlWork<R> queries) throws SQLException {
        boolean before = connection.isReadOnly();
        connection.setReadOnly(true);
        try (End settings = () -> connection.setReadOnly(before);
                End transaction = Snapshot.begin(connection)) {
            return queries.run(connection);
        }
    }
}
