// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.dialect.Snapshot;
import dev.seriatim.jdbc.dialect.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A repeatable read, set for the transaction alone: the driver's setting would stay on a pooler's session. */
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
