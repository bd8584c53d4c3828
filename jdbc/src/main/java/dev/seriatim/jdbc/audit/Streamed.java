// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Queries whose rows the driver streams instead of keeping them all in memory. */
final class Streamed {

    /** Fetch size: large enough that the round trip is negligible, small enough to fit in memory. */
    private static final int ROWS = 10_000;

    private Streamed() {}

    /** Prepares such a query. Most drivers stream only inside a transaction. */
    static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        // MySQL's own driver ignores any fetch size but this one.
        boolean mySqls = connection.getMetaData().getDriverName().startsWith("MySQL");
        statement.setFetchSize(mySqls ? Integer.MIN_VALUE : ROWS);
        return statement;
    }
}
