// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.dialect.Snapshot;
import dev.seriatim.jdbc.dialect.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A repeatable read by a setting of the transaction alone: the driver's would stay with the session, which may be a pooler's. */
record RepeatableTransaction() implements Snapshot {

    @Override
    @SuppressWarnings("try") // the resource is declared only to be closed
    public <R> R of(Connection connection, SqlWork<R> queries) throws SQLException {
        try (End transaction = Snapshot.begin(connection);
                Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            return queries.run(connection);
        }
    }
}
